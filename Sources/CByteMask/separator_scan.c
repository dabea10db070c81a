// Clean records, 64 bytes at a time: the same steps with instructions of three widths.
#include "separator_scan.h"

#include "byte_mask.h"
#include "clean_block.h"

/// Whether a block without quotes and control bytes depends on what stands before it.
IN_LINE _Bool is_open(const struct separator_scan *scan) {
    return (scan->before.inside | scan->before.after_closing | scan->before.after_return) != 0;
}

/// The bytes of a block that are behind the text, of which `left` bytes are left.
IN_LINE uint64_t behind(uint32_t left) { return left < 64 ? ~(uint64_t)0 << left : 0; }

/// Takes out what stands at the first odd byte or after it.
IN_LINE void cut(struct separator_scan *scan, struct block *block, uint64_t odd) {
    block->separators &= (odd & (0 - odd)) - 1;
    block->line_feeds &= block->separators;
    scan->is_over = 1;
}

static void scan_on_any(struct separator_scan *state, const uint8_t *at, uint32_t count) {
    struct separator_scan scan = *state;
    for (uint32_t left = count; left != 0 && !scan.is_over; left -= 64, at += 64, scan.position += 64) {
        const struct byte_marks marks = byte_marks_of(at, scan.delimiter, scan.quote);
        struct block block = {marks.separators, marks.line_feeds, 0, 0, 0};
        uint64_t odd = behind(left);
        if (marks.has_others || is_open(&scan)) {
            block.quotes = byte_mask_equal(at, scan.quote);
            block.returns = byte_mask_equal(at, 0x0D);
            block.nuls = byte_mask_equal(at, 0);
            scan.has_high |= byte_mask_has_high(at);
            odd |= settle(&scan.before, &block);
        }
        scan.before.after_separator = block.separators >> 63;
        if (odd != 0) cut(&scan, &block, odd);
        scan.separators += byte_mask_places(block.separators, scan.position, scan.separators);
        scan.line_feeds += byte_mask_places(block.line_feeds, scan.position, scan.line_feeds);
    }
    *state = scan;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/// Most blocks have one line feed or none; which of both, nobody could guess.
WIDE IN_LINE uint32_t *write_line_feeds(uint64_t mask, uint32_t start, uint32_t *line_feeds) {
    *line_feeds = start + (uint32_t)_tzcnt_u64(mask);
    line_feeds += mask != 0;
    for (uint64_t rest = _blsr_u64(mask); rest != 0; rest = _blsr_u64(rest))
        *line_feeds++ = start + (uint32_t)_tzcnt_u64(rest);
    return line_feeds;
}

WIDE static inline uint64_t gather(__m256i low, __m256i high) {
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
}

WIDE static inline uint64_t equal(const __m256i bytes[2], __m256i wanted) {
    return gather(_mm256_cmpeq_epi8(bytes[0], wanted), _mm256_cmpeq_epi8(bytes[1], wanted));
}

/// Writes 8 places; returns the bits that are left.
WIDE static inline uint64_t write_places(uint64_t mask, uint32_t start, uint32_t *places) {
    for (int place = 0; place < 8; place++) {
        places[place] = start + (uint32_t)_tzcnt_u64(mask);
        mask = _blsr_u64(mask);
    }
    return mask;
}

WIDE static void scan_on_wide(struct separator_scan *state, const uint8_t *at, uint32_t count) {
    struct separator_scan scan = *state;
    const __m256i delimiters = _mm256_set1_epi8((char)scan.delimiter), quotes = _mm256_set1_epi8((char)scan.quote);
    const __m256i feed = _mm256_set1_epi8(0x0A), blank = _mm256_set1_epi8(0x20);
    for (uint32_t left = count; left != 0 && !scan.is_over; left -= 64, at += 64, scan.position += 64) {
        const __m256i bytes[2] = {
            _mm256_loadu_si256((const __m256i *)at), _mm256_loadu_si256((const __m256i *)(at + 32))};
        struct block block = {0, equal(bytes, feed), equal(bytes, quotes), 0, 0};
        block.separators = equal(bytes, delimiters) | block.line_feeds;
        // Bytes have signs: those that are no ASCII are low too.
        const uint64_t low = gather(_mm256_cmpgt_epi8(blank, bytes[0]), _mm256_cmpgt_epi8(blank, bytes[1]));
        uint64_t odd = behind(left);
        if (((low & ~block.separators) | block.quotes) != 0 || is_open(&scan)) {
            block.returns = equal(bytes, _mm256_set1_epi8(0x0D));
            block.nuls = equal(bytes, _mm256_setzero_si256());
            scan.has_high |= _mm256_movemask_epi8(_mm256_or_si256(bytes[0], bytes[1])) != 0;
            odd |= settle(&scan.before, &block);
        }
        scan.before.after_separator = block.separators >> 63;
        if (odd != 0) cut(&scan, &block, odd);
        const uint32_t found = (uint32_t)_mm_popcnt_u64(block.separators);
        uint64_t rest = write_places(block.separators, scan.position, scan.separators);
        for (uint32_t written = 8; written < found; written += 8) rest = write_places(rest, scan.position, scan.separators + written);
        scan.separators += found;
        scan.line_feeds = write_line_feeds(block.line_feeds, scan.position, scan.line_feeds);
    }
    *state = scan;
}

WIDEST static void scan_on_widest(struct separator_scan *state, const uint8_t *at, uint32_t count) {
    struct separator_scan scan = *state;
    const __m512i delimiters = _mm512_set1_epi8((char)scan.delimiter), quotes = _mm512_set1_epi8((char)scan.quote);
    const __m512i feed = _mm512_set1_epi8(0x0A), blank = _mm512_set1_epi8(0x20);
    static const uint8_t numbers[64] __attribute__((aligned(64))) = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    };
    const __m512i places = _mm512_load_si512(numbers);
    for (uint32_t left = count; left != 0 && !scan.is_over; left -= 64, at += 64, scan.position += 64) {
        const __m512i bytes = _mm512_loadu_si512(at);
        struct block block = {
            0, _mm512_cmpeq_epi8_mask(bytes, feed), _mm512_cmpeq_epi8_mask(bytes, quotes), 0, 0};
        block.separators = _mm512_cmpeq_epi8_mask(bytes, delimiters) | block.line_feeds;
        // Bytes have signs: those that are no ASCII are low too.
        const uint64_t low = _mm512_cmplt_epi8_mask(bytes, blank);
        uint64_t odd = behind(left);
        if (((low & ~block.separators) | block.quotes) != 0 || is_open(&scan)) {
            block.returns = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(0x0D));
            block.nuls = _mm512_testn_epi8_mask(bytes, bytes);
            scan.has_high |= _mm512_movepi8_mask(bytes) != 0;
            odd |= settle(&scan.before, &block);
        }
        scan.before.after_separator = block.separators >> 63;
        if (odd != 0) cut(&scan, &block, odd);
        const uint32_t found = (uint32_t)_mm_popcnt_u64(block.separators);
        const __m512i packed = _mm512_maskz_compress_epi8(block.separators, places);
        const __m512i first = _mm512_set1_epi32((int)scan.position);
        _mm512_storeu_si512(scan.separators, _mm512_add_epi32(first, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed))));
        if (found > 16) {
            const __m128i parts[3] = {
                _mm512_extracti32x4_epi32(packed, 1), _mm512_extracti32x4_epi32(packed, 2),
                _mm512_extracti32x4_epi32(packed, 3)};
            for (int part = 0; part < 3; part++)
                _mm512_storeu_si512(scan.separators + 16 * (part + 1), _mm512_add_epi32(first, _mm512_cvtepu8_epi32(parts[part])));
        }
        scan.separators += found;
        scan.line_feeds = write_line_feeds(block.line_feeds, scan.position, scan.line_feeds);
    }
    *state = scan;
}

static int ways = 1;

/// What the processor has, and which registers the system keeps.
__attribute__((target("xsave"), constructor)) static void look_at_processor(void) {
    unsigned int a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27) || !(c & 1u << 23)) return;
    const unsigned long long kept = _xgetbv(0);
    if ((kept & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
    // AVX2 and BMI; AVX512F and BW, VBMI2.
    if (!(b & 1u << 5) || !(b & 1u << 3)) return;
    ways = 2;
    if ((kept & 0xE6) == 0xE6 && (b & 1u << 16) && (b & 1u << 30) && (c & 1u << 6)) ways = 3;
}

int separator_scan_ways(void) { return ways; }

void separator_scan_in_way(int way, struct separator_scan *scan, const uint8_t *at, uint32_t count) {
    if (way > ways) way = ways;
    if (way == 3) return scan_on_widest(scan, at, count);
    if (way == 2) return scan_on_wide(scan, at, count);
    scan_on_any(scan, at, count);
}

void separator_scan_on(struct separator_scan *scan, const uint8_t *at, uint32_t count) {
    separator_scan_in_way(ways, scan, at, count);
}

#else

int separator_scan_ways(void) { return 1; }

void separator_scan_in_way(int way, struct separator_scan *scan, const uint8_t *at, uint32_t count) {
    scan_on_any(scan, at, count);
}

void separator_scan_on(struct separator_scan *scan, const uint8_t *at, uint32_t count) { scan_on_any(scan, at, count); }

#endif
