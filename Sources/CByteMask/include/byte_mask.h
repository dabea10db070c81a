#ifndef BYTE_MASK_H
#define BYTE_MASK_H

// Tells of 64 or 16 bytes at once which are special, with the vector instructions that every processor of its kind has.
// Swift has no word for "gather the high bits". `SpecialBytes` says the same in Swift, and is the oracle in tests.
// The caller vouches that so many bytes at the addresses are readable; nothing else is read, and nothing is
// written but what a function says that it writes.

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#if defined(__aarch64__) && defined(__ARM_NEON)
/// One bit for each of 16 bytes that are all ones or all zeros.
static inline uint32_t byte_mask_gather(uint8x16_t found) {
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t each = vandq_u8(found, bits);
    const uint8x16_t pairs = vpaddq_u8(each, each);
    const uint8x16_t fours = vpaddq_u8(pairs, pairs);
    return vgetq_lane_u16(vreinterpretq_u16_u8(vpaddq_u8(fours, fours)), 0);
}
#endif

/// Which of 64 bytes are the delimiter, the quote, or below 0x20; the first in bit 0.
static inline uint64_t byte_mask_special(const uint8_t *_Nonnull at, uint8_t delimiter, uint8_t quote) {
#if defined(__SSE2__)
    const __m128i delimiters = _mm_set1_epi8((char)delimiter);
    const __m128i quotes = _mm_set1_epi8((char)quote);
    const __m128i controls = _mm_set1_epi8(0x1F);
    uint64_t mask = 0;
    for (int part = 0; part < 4; part++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * part));
        const __m128i found = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, delimiters), _mm_cmpeq_epi8(bytes, quotes)),
            _mm_cmpeq_epi8(_mm_max_epu8(bytes, controls), controls));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(found) << (16 * part);
    }
    return mask;
#elif defined(__aarch64__) && defined(__ARM_NEON)
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t delimiters = vdupq_n_u8(delimiter);
    const uint8x16_t quotes = vdupq_n_u8(quote);
    const uint8x16_t blank = vdupq_n_u8(0x20);
    uint8x16_t found[4];
    for (int part = 0; part < 4; part++) {
        const uint8x16_t bytes = vld1q_u8(at + 16 * part);
        found[part] = vandq_u8(
            vorrq_u8(vorrq_u8(vceqq_u8(bytes, delimiters), vceqq_u8(bytes, quotes)), vcltq_u8(bytes, blank)), bits);
    }
    const uint8x16_t pairs = vpaddq_u8(vpaddq_u8(found[0], found[1]), vpaddq_u8(found[2], found[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)), 0);
#else
    uint64_t mask = 0;
    for (int place = 0; place < 64; place++) {
        const uint8_t byte = at[place];
        if (byte == delimiter || byte == quote || byte < 0x20) mask |= (uint64_t)1 << place;
    }
    return mask;
#endif
}

/// Which of 64 bytes are a certain one; the first in bit 0.
static inline uint64_t byte_mask_equal(const uint8_t *_Nonnull at, uint8_t wanted) {
    uint64_t mask = 0;
#if defined(__SSE2__)
    const __m128i all = _mm_set1_epi8((char)wanted);
    for (int part = 0; part < 4; part++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * part));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, all)) << (16 * part);
    }
#else
    for (int place = 0; place < 64; place++) mask |= (uint64_t)(at[place] == wanted) << place;
#endif
    return mask;
}

/// What 64 bytes have; the first in bit 0.
struct byte_marks {
    /// Delimiters and line feeds.
    uint64_t separators;
    uint64_t line_feeds;
    /// Whether there is a quote, a byte below 0x20 that is no separator, or one that is not ASCII.
    _Bool has_others;
};

static inline struct byte_marks byte_marks_of(const uint8_t *_Nonnull at, uint8_t delimiter, uint8_t quote) {
    struct byte_marks marks = {0, 0, 0};
#if defined(__SSE2__)
    const __m128i delimiters = _mm_set1_epi8((char)delimiter);
    const __m128i quotes = _mm_set1_epi8((char)quote);
    const __m128i line_feeds = _mm_set1_epi8(0x0A);
    const __m128i controls = _mm_set1_epi8(0x1F);
    __m128i others = _mm_setzero_si128();
    for (int part = 0; part < 4; part++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * part));
        const __m128i feeds = _mm_cmpeq_epi8(bytes, line_feeds);
        const __m128i separators = _mm_or_si128(_mm_cmpeq_epi8(bytes, delimiters), feeds);
        const __m128i low = _mm_cmpeq_epi8(_mm_max_epu8(bytes, controls), controls);
        // Of each byte only the highest bit counts in the end.
        others = _mm_or_si128(
            _mm_or_si128(others, bytes), _mm_or_si128(_mm_cmpeq_epi8(bytes, quotes), _mm_andnot_si128(separators, low)));
        marks.line_feeds |= (uint64_t)(uint32_t)_mm_movemask_epi8(feeds) << (16 * part);
        marks.separators |= (uint64_t)(uint32_t)_mm_movemask_epi8(separators) << (16 * part);
    }
    marks.has_others = _mm_movemask_epi8(others) != 0;
#elif defined(__aarch64__) && defined(__ARM_NEON)
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t feeds[4], separators[4];
    uint8x16_t others = vdupq_n_u8(0);
    for (int part = 0; part < 4; part++) {
        const uint8x16_t bytes = vld1q_u8(at + 16 * part);
        const uint8x16_t feed = vceqq_u8(bytes, vdupq_n_u8(0x0A));
        const uint8x16_t separator = vorrq_u8(vceqq_u8(bytes, vdupq_n_u8(delimiter)), feed);
        const uint8x16_t low = vcltq_u8(bytes, vdupq_n_u8(0x20));
        others = vorrq_u8(
            vorrq_u8(others, bytes), vorrq_u8(vceqq_u8(bytes, vdupq_n_u8(quote)), vbicq_u8(low, separator)));
        feeds[part] = vandq_u8(feed, bits);
        separators[part] = vandq_u8(separator, bits);
    }
    const uint8x16_t found =
        vpaddq_u8(vpaddq_u8(feeds[0], feeds[1]), vpaddq_u8(feeds[2], feeds[3]));
    const uint8x16_t all =
        vpaddq_u8(vpaddq_u8(separators[0], separators[1]), vpaddq_u8(separators[2], separators[3]));
    marks.line_feeds = vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(found, found)), 0);
    marks.separators = vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
    marks.has_others = vmaxvq_u8(others) > 0x7F;
#else
    for (int place = 0; place < 64; place++) {
        const uint8_t byte = at[place];
        const _Bool is_separator = byte == delimiter || byte == 0x0A;
        marks.separators |= (uint64_t)is_separator << place;
        marks.line_feeds |= (uint64_t)(byte == 0x0A) << place;
        if (byte == quote || (byte < 0x20 && !is_separator) || byte > 0x7F) marks.has_others = 1;
    }
#endif
    return marks;
}

/// Writes the places of a mask's bits from the lowest up, each plus `start`; returns how many there are. Up to 8 are
/// written without a branch that depends on how many: room for 8 more than the bits is written to.
static inline uint32_t byte_mask_places(uint64_t mask, uint32_t start, uint32_t *_Nonnull places) {
    const uint64_t end = (uint64_t)1 << 63;
    uint64_t pairs = mask - ((mask >> 1) & 0x5555555555555555);
    pairs = (pairs & 0x3333333333333333) + ((pairs >> 2) & 0x3333333333333333);
    const uint32_t count = (uint32_t)((((pairs + (pairs >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56);
    for (int place = 0; place < 8; place++) {
        places[place] = start + (uint32_t)__builtin_ctzll(mask | end);
        mask &= mask - 1;
    }
    for (uint32_t place = 8; place < count; place++) {
        places[place] = start + (uint32_t)__builtin_ctzll(mask);
        mask &= mask - 1;
    }
    return count;
}

/// Writes 16 bytes as 32 hex digits in lower case, the higher half of each byte first.
static inline void byte_hex(const uint8_t *_Nonnull from, uint8_t *_Nonnull to) {
#if defined(__SSE2__)
    const __m128i bytes = _mm_loadu_si128((const __m128i *)from);
    const __m128i half = _mm_set1_epi8(0x0F);
    const __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), half);
    const __m128i low = _mm_and_si128(bytes, half);
    const __m128i pairs[2] = {_mm_unpacklo_epi8(high, low), _mm_unpackhi_epi8(high, low)};
    for (int part = 0; part < 2; part++) {
        // 0x30 for a digit, 0x57 for a letter.
        const __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(pairs[part], _mm_set1_epi8(9)), _mm_set1_epi8(0x27));
        const __m128i digits = _mm_add_epi8(_mm_add_epi8(pairs[part], _mm_set1_epi8(0x30)), letters);
        _mm_storeu_si128((__m128i *)(to + 16 * part), digits);
    }
#else
    for (int place = 0; place < 16; place++) {
        const uint8_t halves[2] = {from[place] >> 4, from[place] & 15};
        for (int half = 0; half < 2; half++) to[2 * place + half] = halves[half] + (halves[half] > 9 ? 0x57 : 0x30);
    }
#endif
}

/// Which of 16 bytes end a value of markup: one of the two, `&`, what is below 0x20, and 0xEF; the first in bit 0.
/// `Words.ends` and `Words.quoteEnds` say the same in Swift, and are the oracle in tests.
static inline uint32_t byte_mask_value_end(const uint8_t *_Nonnull at, uint8_t one, uint8_t other) {
#if defined(__SSE2__)
    const __m128i bytes = _mm_loadu_si128((const __m128i *)at);
    const __m128i controls = _mm_set1_epi8(0x1F);
    const __m128i named = _mm_or_si128(
        _mm_or_si128(
            _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)one)), _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)other))),
        _mm_or_si128(
            _mm_cmpeq_epi8(bytes, _mm_set1_epi8('&')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)0xEF))));
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(named, _mm_cmpeq_epi8(_mm_max_epu8(bytes, controls), controls)));
#elif defined(__aarch64__) && defined(__ARM_NEON)
    const uint8x16_t bytes = vld1q_u8(at);
    const uint8x16_t named = vorrq_u8(
        vorrq_u8(vceqq_u8(bytes, vdupq_n_u8(one)), vceqq_u8(bytes, vdupq_n_u8(other))),
        vorrq_u8(vceqq_u8(bytes, vdupq_n_u8('&')), vceqq_u8(bytes, vdupq_n_u8(0xEF))));
    return byte_mask_gather(vorrq_u8(named, vcltq_u8(bytes, vdupq_n_u8(0x20))));
#else
    uint32_t mask = 0;
    for (int place = 0; place < 16; place++) {
        const uint8_t byte = at[place];
        if (byte == one || byte == other || byte == '&' || byte == 0xEF || byte < 0x20) mask |= (uint32_t)1 << place;
    }
    return mask;
#endif
}

/// Which of 16 bytes are the same at both addresses; the first in bit 0.
static inline uint32_t byte_mask_same(const uint8_t *_Nonnull left, const uint8_t *_Nonnull right) {
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)left), _mm_loadu_si128((const __m128i *)right)));
#elif defined(__aarch64__) && defined(__ARM_NEON)
    return byte_mask_gather(vceqq_u8(vld1q_u8(left), vld1q_u8(right)));
#else
    uint32_t mask = 0;
    for (int place = 0; place < 16; place++) mask |= (uint32_t)(left[place] == right[place]) << place;
    return mask;
#endif
}

/// Whether so many bytes are the same at both addresses; the C library compares many with the processor's widest
/// instructions.
static inline _Bool byte_same(const uint8_t *_Nonnull left, const uint8_t *_Nonnull right, long count) {
    return memcmp(left, right, (size_t)count) == 0;
}

/// How many of `count` bytes are one of this value. No branch depends on the bytes.
static inline long byte_count(const uint8_t *_Nonnull at, long count, uint8_t value) {
    typedef uint8_t lanes __attribute__((vector_size(16)));
    const lanes wanted = (lanes){0} + value;
    long found = 0;
    // A lane holds up to 255.
    while (count >= 64) {
        const long steps = count / 64 < 63 ? count / 64 : 63;
        lanes sums = {0};
        for (long step = 0; step < steps; step++, at += 64) {
            lanes bytes[4];
            memcpy(bytes, at, sizeof bytes);
            for (int part = 0; part < 4; part++) sums -= (lanes)(bytes[part] == wanted);
        }
        for (int lane = 0; lane < 16; lane++) found += sums[lane];
        count -= 64 * steps;
    }
    while (count > 0) found += at[--count] == value;
    return found;
}

/// Asks the processor to load what stands at an address; nothing is read if nothing can be.
static inline void byte_prefetch(const void *_Nonnull at) { __builtin_prefetch(at, 1, 1); }

/// Whether one of 64 bytes is not ASCII.
static inline _Bool byte_mask_has_high(const uint8_t *_Nonnull at) {
    uint64_t words[8];
    memcpy(words, at, sizeof words);
    uint64_t all = 0;
    for (int place = 0; place < 8; place++) all |= words[place];
    return (all & 0x8080808080808080) != 0;
}

#endif
