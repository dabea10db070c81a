#ifndef ROW_HASH_H
#define ROW_HASH_H

// SipHash-2-4 with 128 bits of output and a key of zeros, of eight texts side by side: the rounds of one hash wait for
// each other and leave most of a processor idle. `StableHash` says the same in Swift, and is the oracle in tests.
// A hash is two words, the higher half first.

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// How many texts are hashed side by side.
enum { row_hash_width = 8 };

/// Writes the hashes of eight texts. The text of `starts[n]` bytes after `memory` takes `words[n]` words, at least one, in
/// little-endian order: the last one has the bytes that are left, zeros, and in its highest byte how many bytes the text
/// has, modulo 256. The caller vouches that from each start on as many words are readable as the longest text takes.
void row_hash_texts(
    const uint8_t *_Nonnull memory, const uint32_t *_Nonnull starts, const uint32_t *_Nonnull words,
    uint64_t *_Nonnull hashes);

/// Writes, for each of eight hashes, the hash of its 32 hex digits in lower case, followed by `#1`.
void row_hash_firsts(const uint64_t *_Nonnull hashes, uint64_t *_Nonnull ids);

/// Which of the 16 tags at an address are a certain one, and which are 0; one bit for each, the first in bit 0.
struct row_tags {
    uint32_t same, free;
};

static inline struct row_tags row_tags_of(const uint8_t *_Nonnull at, uint8_t tag) {
#if defined(__SSE2__)
    const __m128i tags = _mm_loadu_si128((const __m128i *)at);
    return (struct row_tags){
        (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8((char)tag))),
        (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_setzero_si128()))};
#elif defined(__aarch64__) && defined(__ARM_NEON)
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t tags = vld1q_u8(at);
    const uint8x16_t pairs = vpaddq_u8(
        vandq_u8(vceqq_u8(tags, vdupq_n_u8(tag)), bits), vandq_u8(vceqzq_u8(tags), bits));
    const uint8x16_t fours = vpaddq_u8(pairs, pairs);
    const uint32_t both = vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(fours, fours)), 0);
    return (struct row_tags){both & 0xFFFF, both >> 16};
#else
    struct row_tags found = {0, 0};
    for (int place = 0; place < 16; place++) {
        found.same |= (uint32_t)(at[place] == tag) << place;
        found.free |= (uint32_t)(at[place] == 0) << place;
    }
    return found;
#endif
}

/// The same without instructions that only some processors have.
void row_hash_texts_any(
    const uint8_t *_Nonnull memory, const uint32_t *_Nonnull starts, const uint32_t *_Nonnull words,
    uint64_t *_Nonnull hashes);
void row_hash_firsts_any(const uint64_t *_Nonnull hashes, uint64_t *_Nonnull ids);

#endif
