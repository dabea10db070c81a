// Eight hashes side by side: a vector has a word of each. Processors with narrower registers keep it in several.
#include "row_hash.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "words are read as they stand in memory"
#endif

#define IN_LINE __attribute__((always_inline)) static inline

typedef uint64_t lanes __attribute__((vector_size(8 * row_hash_width)));

/// What is between two words. Vectors are passed by address: by value, how would depend on the processor.
struct state {
    lanes v0, v1, v2, v3;
};

IN_LINE void begin(struct state *state) {
    const lanes zero = {0};
    state->v0 = zero + 0x736F6D6570736575;
    state->v1 = zero + (0x646F72616E646F6D ^ 0xEE);
    state->v2 = zero + 0x6C7967656E657261;
    state->v3 = zero + 0x7465646279746573;
}

#define ROTATE(word, bits) ((word) << (bits) | (word) >> (64 - (bits)))

IN_LINE void take_rounds(struct state *state, int count) {
#pragma clang loop unroll(full)
    for (int round = 0; round < count; round++) {
        state->v0 += state->v1;
        state->v1 = ROTATE(state->v1, 13) ^ state->v0;
        state->v0 = ROTATE(state->v0, 32);
        state->v2 += state->v3;
        state->v3 = ROTATE(state->v3, 16) ^ state->v2;
        state->v0 += state->v3;
        state->v3 = ROTATE(state->v3, 21) ^ state->v0;
        state->v2 += state->v1;
        state->v1 = ROTATE(state->v1, 17) ^ state->v2;
        state->v2 = ROTATE(state->v2, 32);
    }
}

IN_LINE void absorb(struct state *state, const lanes *words) {
    state->v3 ^= *words;
    take_rounds(state, 2);
    state->v0 ^= *words;
}

IN_LINE void finish(struct state *state, uint64_t *hashes) {
    state->v2 ^= 0xEE;
    take_rounds(state, 4);
    const lanes high = state->v0 ^ state->v1 ^ state->v2 ^ state->v3;
    state->v1 ^= 0xDD;
    take_rounds(state, 4);
    const lanes low = state->v0 ^ state->v1 ^ state->v2 ^ state->v3;
    for (int text = 0; text < row_hash_width; text++) {
        hashes[2 * text] = high[text];
        hashes[2 * text + 1] = low[text];
    }
}

IN_LINE uint64_t load(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

IN_LINE void hash_texts(const uint8_t *memory, const uint32_t *starts, const uint32_t *words, uint64_t *hashes) {
    uint32_t fewest = words[0], most = words[0];
    const uint8_t *at[row_hash_width];
    lanes counts;
    for (int text = 0; text < row_hash_width; text++) {
        fewest = words[text] < fewest ? words[text] : fewest;
        most = words[text] > most ? words[text] : most;
        at[text] = memory + starts[text];
        counts[text] = words[text];
    }
    struct state state;
    begin(&state);
    for (uint32_t word = 0; word < most; word++) {
        lanes next;
        for (int text = 0; text < row_hash_width; text++) next[text] = load(at[text] + 8 * (size_t)word);
        if (word < fewest) {
            absorb(&state, &next);
            continue;
        }
        // Texts that have come to their end stay as they are.
        const struct state old = state;
        absorb(&state, &next);
        const lanes is_longer = (lanes)(counts > (uint64_t)word);
        state.v0 = (state.v0 & is_longer) | (old.v0 & ~is_longer);
        state.v1 = (state.v1 & is_longer) | (old.v1 & ~is_longer);
        state.v2 = (state.v2 & is_longer) | (old.v2 & ~is_longer);
        state.v3 = (state.v3 & is_longer) | (old.v3 & ~is_longer);
    }
    finish(&state, hashes);
}

/// The hex digits of the upper half of each word, the first one in the lowest byte.
IN_LINE void make_digits(lanes *words) {
    lanes halves = *words >> 32;
    // The highest byte is the first.
    halves = (halves >> 8 & 0x00FF00FF) | (halves & 0x00FF00FF) << 8;
    halves = halves >> 16 | (halves & 0xFFFF) << 16;
    halves = (halves | halves << 16) & 0x0000FFFF0000FFFF;
    halves = (halves | halves << 8) & 0x00FF00FF00FF00FF;
    halves = (halves >> 4 | halves << 8) & 0x0F0F0F0F0F0F0F0F;
    // 0x30 for a digit, 0x57 for a letter.
    const lanes letters = (halves + 0x0606060606060606) >> 4 & 0x0101010101010101;
    *words = halves + 0x3030303030303030 + letters * 0x27;
}

IN_LINE void hash_firsts(const uint64_t *hashes, uint64_t *ids) {
    lanes digits[4];
    for (int text = 0; text < row_hash_width; text++) {
        digits[0][text] = hashes[2 * text];
        digits[2][text] = hashes[2 * text + 1];
    }
    digits[1] = digits[0] << 32;
    digits[3] = digits[2] << 32;
    struct state state;
    begin(&state);
#pragma clang loop unroll(full)
    for (int word = 0; word < 4; word++) {
        make_digits(&digits[word]);
        absorb(&state, &digits[word]);
    }
    // `#1`, and the number of bytes.
    const lanes last = (lanes){0} + (0x3123 | (uint64_t)34 << 56);
    absorb(&state, &last);
    finish(&state, ids);
}

void row_hash_texts_any(const uint8_t *memory, const uint32_t *starts, const uint32_t *words, uint64_t *hashes) {
    hash_texts(memory, starts, words, hashes);
}

void row_hash_firsts_any(const uint64_t *hashes, uint64_t *ids) { hash_firsts(hashes, ids); }

#if defined(__x86_64__)
#include <cpuid.h>

// Registers of 32 bytes, and on the newest processors a rotation in one instruction.
#define WIDE __attribute__((target("avx2")))
#define WIDEST __attribute__((target("avx2,avx512f,avx512vl,avx512dq,prefer-256-bit")))

WIDE static void hash_texts_wide(
    const uint8_t *memory, const uint32_t *starts, const uint32_t *words, uint64_t *hashes
) {
    hash_texts(memory, starts, words, hashes);
}
WIDE static void hash_firsts_wide(const uint64_t *hashes, uint64_t *ids) { hash_firsts(hashes, ids); }

WIDEST static void hash_texts_widest(
    const uint8_t *memory, const uint32_t *starts, const uint32_t *words, uint64_t *hashes
) {
    hash_texts(memory, starts, words, hashes);
}
WIDEST static void hash_firsts_widest(const uint64_t *hashes, uint64_t *ids) { hash_firsts(hashes, ids); }

static _Bool is_wide = 0, is_widest = 0;

/// Whether there are these instructions, and the system keeps the registers.
__attribute__((target("xsave"), constructor)) static void look_at_processor(void) {
    unsigned int a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27)) return;
    const uint64_t kept = __builtin_ia32_xgetbv(0);
    if ((kept & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
    is_wide = b >> 5 & 1;
    // AVX-512 F, DQ and VL; the system keeps masks and all 32 registers.
    is_widest = is_wide && (kept & 0xE0) == 0xE0 && (b >> 16 & 1) && (b >> 17 & 1) && (b >> 31 & 1);
}

void row_hash_texts(const uint8_t *memory, const uint32_t *starts, const uint32_t *words, uint64_t *hashes) {
    if (is_widest) return hash_texts_widest(memory, starts, words, hashes);
    if (is_wide) return hash_texts_wide(memory, starts, words, hashes);
    hash_texts(memory, starts, words, hashes);
}

void row_hash_firsts(const uint64_t *hashes, uint64_t *ids) {
    if (is_widest) return hash_firsts_widest(hashes, ids);
    if (is_wide) return hash_firsts_wide(hashes, ids);
    hash_firsts(hashes, ids);
}

#else

void row_hash_texts(const uint8_t *memory, const uint32_t *starts, const uint32_t *words, uint64_t *hashes) {
    hash_texts(memory, starts, words, hashes);
}

void row_hash_firsts(const uint64_t *hashes, uint64_t *ids) { hash_firsts(hashes, ids); }

#endif
