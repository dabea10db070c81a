// What is not inline: runs of blocks, on x86 with wider instructions where they are there.
#include "byte_mask.h"

struct byte_run byte_run_of_any(
    const uint8_t *at, uint32_t blocks, uint8_t delimiter, uint8_t quote, uint32_t start, uint32_t *separators,
    uint32_t *line_feeds
) {
    struct byte_run run = {0, 0, 0, 0};
    for (; run.blocks < blocks; run.blocks++, at += 64, start += 64) {
        const struct byte_marks marks = byte_marks_of(at, delimiter, quote);
        if (marks.has_others) break;
        run.separators += byte_mask_places(marks.separators, start, separators + run.separators);
        run.line_feeds += byte_mask_places(marks.line_feeds, start, line_feeds + run.line_feeds);
        run.ends_in_separator = marks.separators >> 63;
    }
    return run;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/// Code for processors that `is_wide` tells of.
#define WIDE __attribute__((target("avx2,bmi,popcnt")))

WIDE static inline uint64_t gather(__m256i low, __m256i high) {
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
}

/// Writes 8 places; returns the bits that are left.
WIDE static inline uint64_t write_places(uint64_t mask, uint32_t start, uint32_t *places) {
    for (int place = 0; place < 8; place++) {
        places[place] = start + (uint32_t)_tzcnt_u64(mask);
        mask = _blsr_u64(mask);
    }
    return mask;
}

WIDE static struct byte_run wide_run(
    const uint8_t *at, uint32_t blocks, uint8_t delimiter, uint8_t quote, uint32_t start, uint32_t *separators,
    uint32_t *line_feeds
) {
    const __m256i delimiters = _mm256_set1_epi8((char)delimiter), quotes = _mm256_set1_epi8((char)quote);
    const __m256i feed = _mm256_set1_epi8(0x0A), controls = _mm256_set1_epi8(0x1F);
    struct byte_run run = {0, 0, 0, 0};
    for (; run.blocks < blocks; run.blocks++, at += 64, start += 64) {
        __m256i feeds[2], found[2], others = _mm256_setzero_si256();
        for (int part = 0; part < 2; part++) {
            const __m256i bytes = _mm256_loadu_si256((const __m256i *)(at + 32 * part));
            feeds[part] = _mm256_cmpeq_epi8(bytes, feed);
            found[part] = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, delimiters), feeds[part]);
            const __m256i low = _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, controls), controls);
            // Of each byte only the highest bit counts in the end.
            others = _mm256_or_si256(
                _mm256_or_si256(others, bytes),
                _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quotes), _mm256_andnot_si256(found[part], low)));
        }
        if (_mm256_movemask_epi8(others)) break;
        const uint64_t marks = gather(found[0], found[1]), ends = gather(feeds[0], feeds[1]);
        const uint32_t count = (uint32_t)_mm_popcnt_u64(marks);
        uint64_t left = write_places(marks, start, separators + run.separators);
        for (uint32_t written = 8; written < count; written += 8)
            left = write_places(left, start, separators + run.separators + written);
        run.separators += count;
        // Most blocks have one line feed or none; which of both, nobody could guess.
        line_feeds[run.line_feeds] = start + (uint32_t)_tzcnt_u64(ends);
        run.line_feeds += ends != 0;
        for (uint64_t rest = _blsr_u64(ends); rest != 0; rest = _blsr_u64(rest))
            line_feeds[run.line_feeds++] = start + (uint32_t)_tzcnt_u64(rest);
        run.ends_in_separator = marks >> 63;
    }
    return run;
}

static _Bool is_wide = 0;

/// Whether there are AVX2, BMI and POPCNT (as in processors since 2013), and the system keeps the registers.
__attribute__((target("xsave"), constructor)) static void look_at_processor(void) {
    unsigned int a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27) || !(c & 1u << 23) || (_xgetbv(0) & 6) != 6) return;
    is_wide = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 5) && (b & 1u << 3);
}

struct byte_run byte_run_of(
    const uint8_t *at, uint32_t blocks, uint8_t delimiter, uint8_t quote, uint32_t start, uint32_t *separators,
    uint32_t *line_feeds
) {
    return is_wide ? wide_run(at, blocks, delimiter, quote, start, separators, line_feeds)
                   : byte_run_of_any(at, blocks, delimiter, quote, start, separators, line_feeds);
}

#else

struct byte_run byte_run_of(
    const uint8_t *at, uint32_t blocks, uint8_t delimiter, uint8_t quote, uint32_t start, uint32_t *separators,
    uint32_t *line_feeds
) {
    return byte_run_of_any(at, blocks, delimiter, quote, start, separators, line_feeds);
}

#endif
