#include "schedule.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define WIDE __attribute__((target("avx512f,avx512bw")))
#define IN_LINE WIDE __attribute__((always_inline)) static inline

/// FIPS 180-4, section 4.1.2: σ0 and σ1.
IN_LINE __m512i sigma0(__m512i word) {
    const __m512i low = _mm512_ror_epi32(word, 7), high = _mm512_ror_epi32(word, 18);
    return _mm512_ternarylogic_epi32(low, high, _mm512_srli_epi32(word, 3), 0x96);
}

IN_LINE __m512i sigma1(__m512i word) {
    const __m512i low = _mm512_ror_epi32(word, 17), high = _mm512_ror_epi32(word, 19);
    return _mm512_ternarylogic_epi32(low, high, _mm512_srli_epi32(word, 10), 0x96);
}

/// `words[place]` gets word `place` of each block, the blocks in the order that `make_part` brings back into theirs.
IN_LINE void read_blocks(__m512i words[16], const uint8_t *blocks) {
    const __m512i reversed = _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    // Four blocks each: word `4 * lane + place` of them is in the lane of `fours[place][group]`. The lower two of each
    // come before the upper two of all.
    __m512i fours[4][4];
#pragma clang loop unroll(full)
    for (int group = 0; group < 4; group++) {
        __m512i rows[4];
#pragma clang loop unroll(full)
        for (int row = 0; row < 4; row++) {
            const int block = 2 * group + row % 2 + row / 2 * 8;
            rows[row] = _mm512_shuffle_epi8(_mm512_loadu_si512(blocks + 64 * block), reversed);
        }
        const __m512i a = _mm512_unpacklo_epi32(rows[0], rows[1]), b = _mm512_unpackhi_epi32(rows[0], rows[1]);
        const __m512i c = _mm512_unpacklo_epi32(rows[2], rows[3]), d = _mm512_unpackhi_epi32(rows[2], rows[3]);
        fours[0][group] = _mm512_unpacklo_epi64(a, c);
        fours[1][group] = _mm512_unpackhi_epi64(a, c);
        fours[2][group] = _mm512_unpacklo_epi64(b, d);
        fours[3][group] = _mm512_unpackhi_epi64(b, d);
    }
#pragma clang loop unroll(full)
    for (int place = 0; place < 4; place++) {
        const __m512i *four = fours[place];
        const __m512i a = _mm512_shuffle_i32x4(four[0], four[1], 0x88), b = _mm512_shuffle_i32x4(four[2], four[3], 0x88);
        const __m512i c = _mm512_shuffle_i32x4(four[0], four[1], 0xdd), d = _mm512_shuffle_i32x4(four[2], four[3], 0xdd);
        words[place] = _mm512_shuffle_i32x4(a, b, 0x88);
        words[4 + place] = _mm512_shuffle_i32x4(c, d, 0x88);
        words[8 + place] = _mm512_shuffle_i32x4(a, b, 0xdd);
        words[12 + place] = _mm512_shuffle_i32x4(c, d, 0xdd);
    }
}

/// Makes the words of four rounds, and of those that are 16 rounds later; `all` has the words of the rounds before these.
IN_LINE void make_part(uint32_t *words, __m512i all[64], unsigned part) {
    __m512i *now = all + 4 * part;
#pragma clang loop unroll(full)
    for (unsigned pair = 0; pair < 4; pair += 2) {
        const __m512i constant = _mm512_set1_epi32((int)digest_constants[4 * part + pair]);
        const __m512i next_constant = _mm512_set1_epi32((int)digest_constants[4 * part + pair + 1]);
        const __m512i sum = _mm512_add_epi32(now[pair], constant), next = _mm512_add_epi32(now[pair + 1], next_constant);
        uint32_t *at = words + (2 * part + pair / 2) * schedule_stride;
        _mm512_store_si512(at, _mm512_unpacklo_epi32(sum, next));
        _mm512_store_si512(at + 16, _mm512_unpackhi_epi32(sum, next));
    }
    if (part >= 12) return;
#pragma clang loop unroll(full)
    for (int word = 0; word < 4; word++) {
        const __m512i older = _mm512_add_epi32(now[word], sigma0(now[word + 1]));
        now[word + 16] = _mm512_add_epi32(older, _mm512_add_epi32(now[word + 9], sigma1(now[word + 14])));
    }
}

WIDE void schedule_make(uint32_t *words, const uint8_t *blocks) {
    // Unrolled, so that the words stay in registers.
    __m512i all[64];
    read_blocks(all, blocks);
#pragma clang loop unroll(full)
    for (unsigned part = 0; part < schedule_parts; part++) make_part(words, all, part);
}

WIDE void schedule_read(uint32_t *all, const uint8_t *blocks) { read_blocks((__m512i *)all, blocks); }

WIDE void schedule_make_part(uint32_t *words, uint32_t *all, unsigned part) { make_part(words, (__m512i *)all, part); }

#else

void schedule_make(uint32_t *words, const uint8_t *blocks) {}
void schedule_read(uint32_t *all, const uint8_t *blocks) {}
void schedule_make_part(uint32_t *words, uint32_t *all, unsigned part) {}

#endif
