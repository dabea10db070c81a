#include "digest.h"

#include <stdlib.h>
#include <string.h>

#include "schedule.h"

const uint32_t digest_constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/// With instructions that write beside their operands (AVX): a fifth fewer.
#define WITH_INSTRUCTIONS __attribute__((target("sha,avx")))
#define IN_LINE WITH_INSTRUCTIONS __attribute__((always_inline)) static inline

/// A state in the processor: words from the highest place down.
struct lane {
    __m128i abef, cdgh;
};

IN_LINE struct lane load(const uint32_t state[8]) {
    return (struct lane){_mm_loadu_si128((const __m128i *)state), _mm_loadu_si128((const __m128i *)(state + 4))};
}

IN_LINE void store(uint32_t state[8], struct lane lane) {
    _mm_storeu_si128((__m128i *)state, lane.abef);
    _mm_storeu_si128((__m128i *)(state + 4), lane.cdgh);
}

IN_LINE void read_block(__m128i words[4], const uint8_t *block) {
    const __m128i reversed = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    for (int part = 0; part < 4; part++)
        words[part] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * part)), reversed);
}

/// Rounds `4 * step` to `4 * step + 3`; `words` is a ring of the last 16 words of the message schedule.
IN_LINE void take_step(struct lane *lane, __m128i words[4], int step) {
    const __m128i now = words[step & 3], before = words[(step + 3) & 3];
    const __m128i sums = _mm_add_epi32(now, _mm_load_si128((const __m128i *)(digest_constants + 4 * step)));
    lane->cdgh = _mm_sha256rnds2_epu32(lane->cdgh, lane->abef, sums);
    lane->abef = _mm_sha256rnds2_epu32(lane->abef, lane->cdgh, _mm_shuffle_epi32(sums, 0x0e));
    if (step >= 12) return;
    const __m128i next =
        _mm_add_epi32(_mm_sha256msg1_epu32(now, words[(step + 1) & 3]), _mm_alignr_epi8(before, words[(step + 2) & 3], 4));
    words[step & 3] = _mm_sha256msg2_epu32(next, before);
}

IN_LINE struct lane sum(struct lane one, struct lane other) {
    return (struct lane){_mm_add_epi32(one.abef, other.abef), _mm_add_epi32(one.cdgh, other.cdgh)};
}

/// Whether there are instructions for SHA-256 and the system keeps registers of 256 bits, whether it keeps those of 512
/// bits, for `schedule.h`, and whether schedules are made sooner by these: Intel's instructions for schedules take longer than the rounds, those of
/// others are done while a round waits for the one before it.
static _Bool is_supported = 0, is_wide = 0, is_sooner_wide = 0;

/// Asked once: under a hypervisor the answer takes microseconds, more than a small file's rows.
__attribute__((target("xsave"), constructor)) static void look_at_processor(void) {
    unsigned int a, b, c, d, features;
    if (!__get_cpuid_count(7, 0, &a, &features, &c, &d) || !(features & 1u << 29)) return;
    // AVX and OSXSAVE.
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 28) || !(c & 1u << 27)) return;
    const unsigned long long kept = _xgetbv(0);
    is_supported = (kept & 0x06) == 0x06;
    // AVX512F and AVX512BW.
    is_wide = (kept & 0xe6) == 0xe6 && (features & 1u << 16) && (features & 1u << 30);
    is_sooner_wide = is_wide && __get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx;
}

_Bool digest_is_supported(void) { return is_supported; }

IN_LINE void take_steps(struct lane *lane, __m128i words[4], int first, int end) {
#pragma clang loop unroll(full)
    for (int step = first; step < end; step++) take_step(lane, words, step);
}

/// Four rounds whose schedule is made.
IN_LINE void take_two_pairs(struct lane *lane, const uint32_t *words) {
    lane->cdgh = _mm_sha256rnds2_epu32(lane->cdgh, lane->abef, _mm_loadl_epi64((const __m128i *)words));
    const __m128i next = _mm_loadl_epi64((const __m128i *)(words + schedule_stride));
    lane->abef = _mm_sha256rnds2_epu32(lane->abef, lane->cdgh, next);
}

/// Half of a block's rounds.
IN_LINE void take_rounds(struct lane *lane, const uint32_t *words) {
#pragma clang loop unroll(full)
    for (int pair = 0; pair < 16; pair += 2) take_two_pairs(lane, words + pair * schedule_stride);
}

IN_LINE void pass(struct digest *digest, size_t blocks) {
    digest->next += 64 * blocks;
    digest->left -= 64 * blocks;
}

/// Half a block by the instructions for schedules.
IN_LINE void take_first_half(struct digest *digest) {
    struct lane lane = load(digest->state);
    __m128i words[4];
    read_block(words, digest->next);
    take_steps(&lane, words, 0, 8);
    store(digest->middle, lane);
    for (int part = 0; part < 4; part++) _mm_storeu_si128((__m128i *)(digest->schedule + 4 * part), words[part]);
    digest->halves = 1;
    pass(digest, 1);
}

IN_LINE void take_second_half(struct digest *digest) {
    struct lane lane = load(digest->middle);
    __m128i words[4];
    for (int part = 0; part < 4; part++) words[part] = _mm_loadu_si128((const __m128i *)(digest->schedule + 4 * part));
    take_steps(&lane, words, 8, 16);
    store(digest->state, sum(lane, load(digest->state)));
    digest->halves = 0;
}

/// Makes the schedules of the next blocks, if there are enough; only a digest's first time needs memory.
WITH_INSTRUCTIONS static _Bool look_ahead(struct digest *digest) {
    if (!digest->is_ahead || digest->left < 64 * schedule_blocks) return 0;
    if (!digest->ahead && !(digest->ahead = aligned_alloc(64, schedule_words * sizeof *digest->ahead))) return 0;
    schedule_make(digest->ahead, digest->next);
    digest->words = digest->ahead;
    digest->halves = 2 * schedule_blocks;
    pass(digest, schedule_blocks);
    return 1;
}

/// Half a block whose schedule is made.
IN_LINE void take_ahead(struct digest *digest) {
    const uint32_t *words = digest->words;
    if (digest->halves-- % 2 == 0) {
        struct lane lane = load(digest->state);
        take_rounds(&lane, words);
        store(digest->middle, lane);
    } else {
        struct lane lane = load(digest->middle);
        take_rounds(&lane, words + 16 * schedule_stride);
        store(digest->state, sum(lane, load(digest->state)));
        digest->words = digest->halves ? words + schedule_block : NULL;
    }
}

/// Half a block that is begun, or whose schedule is made.
IN_LINE void take_half(struct digest *digest) {
    if (digest->words) take_ahead(digest);
    else take_second_half(digest);
}

/// All half blocks that are begun, or whose schedules are made.
WITH_INSTRUCTIONS static void finish_begun(struct digest *digest) {
    while (digest->halves) take_half(digest);
}

WITH_INSTRUCTIONS static void take(struct digest *digest, size_t blocks) {
    struct lane lane = load(digest->state);
    const uint8_t *at = digest->next;
    for (size_t block = 0; block < blocks; block++, at += 64) {
        const struct lane start = lane;
        __m128i words[4];
        read_block(words, at);
        take_steps(&lane, words, 0, 16);
        lane = sum(lane, start);
    }
    store(digest->state, lane);
    pass(digest, blocks);
}

WITH_INSTRUCTIONS static void take_both(struct digest *one, struct digest *other, size_t blocks) {
    struct lane lane = load(one->state), twin = load(other->state);
    const uint8_t *at = one->next, *twin_at = other->next;
    for (size_t block = 0; block < blocks; block++, at += 64, twin_at += 64) {
        const struct lane start = lane, twin_start = twin;
        __m128i words[4], twin_words[4];
        read_block(words, at);
        read_block(twin_words, twin_at);
#pragma clang loop unroll(full)
        for (int step = 0; step < 16; step++) {
            take_step(&lane, words, step);
            take_step(&twin, twin_words, step);
        }
        lane = sum(lane, start);
        twin = sum(twin, twin_start);
    }
    store(one->state, lane);
    store(other->state, twin);
    pass(one, blocks);
    pass(other, blocks);
}

/// Sixteen blocks whose schedules are made, and the next sixteen, whose schedules are being made.
struct schedules {
    uint32_t words[2][schedule_words], all[schedule_words];
} __attribute__((aligned(64)));

/// Many blocks, sixteen by sixteen: the schedules of the next are made between the rounds of these.
WITH_INSTRUCTIONS static void take_many(struct digest *digest, size_t groups) {
    struct schedules schedules;
    struct lane lane = load(digest->state);
    const uint8_t *at = digest->next;
    schedule_make(schedules.words[0], at);
    for (size_t group = 0; group < groups; group++) {
        const _Bool is_last = group + 1 == groups;
        const uint32_t *now = schedules.words[group % 2];
        uint32_t *next = schedules.words[1 - group % 2];
        if (!is_last) schedule_read(schedules.all, at += 64 * schedule_blocks);
        for (unsigned block = 0; block < schedule_blocks; block++) {
            const struct lane start = lane;
            const uint32_t *words = now + block * schedule_block;
            if (!is_last) schedule_make_part(next, schedules.all, block);
            take_rounds(&lane, words);
            take_rounds(&lane, words + 16 * schedule_stride);
            lane = sum(lane, start);
        }
    }
    store(digest->state, lane);
    pass(digest, groups * schedule_blocks);
}

/// The same for two digests side by side.
WITH_INSTRUCTIONS static void take_many_of_both(struct digest *one, struct digest *other, size_t groups) {
    struct schedules schedules, twins;
    struct lane lane = load(one->state), twin = load(other->state);
    const uint8_t *at = one->next, *twin_at = other->next;
    schedule_make(schedules.words[0], at);
    schedule_make(twins.words[0], twin_at);
    for (size_t group = 0; group < groups; group++) {
        const _Bool is_last = group + 1 == groups;
        const size_t now = group % 2, next = 1 - now;
        if (!is_last) {
            schedule_read(schedules.all, at += 64 * schedule_blocks);
            schedule_read(twins.all, twin_at += 64 * schedule_blocks);
        }
        for (unsigned block = 0; block < schedule_blocks; block++) {
            const struct lane start = lane, twin_start = twin;
            const size_t place = block * schedule_block;
            const uint32_t *words = schedules.words[now] + place, *twin_words = twins.words[now] + place;
            if (!is_last) schedule_make_part(schedules.words[next], schedules.all, block);
#pragma clang loop unroll(full)
            for (int pair = 0; pair < 32; pair += 2) {
                take_two_pairs(&lane, words + pair * schedule_stride);
                take_two_pairs(&twin, twin_words + pair * schedule_stride);
            }
            if (!is_last) schedule_make_part(twins.words[next], twins.all, block);
            lane = sum(lane, start);
            twin = sum(twin, twin_start);
        }
    }
    store(one->state, lane);
    store(other->state, twin);
    pass(one, groups * schedule_blocks);
    pass(other, groups * schedule_blocks);
}

/// A step in a hurry, or of a digest whose schedules may be made ahead.
WITH_INSTRUCTIONS __attribute__((noinline)) static void take_otherwise(struct digest *digest, _Bool is_hurried) {
    if (digest->halves) {
        take_half(digest);
        if (is_hurried && digest->halves) take_half(digest);
    } else if (!look_ahead(digest)) {
        is_hurried ? take(digest, 1) : take_first_half(digest);
    } else if (is_hurried) {
        // Making schedules is as much work as the other half.
        take_half(digest);
    }
}

WITH_INSTRUCTIONS void digest_step(struct digest_pair *pair) {
    struct digest *digest = pair->one;
    if (!digest->halves && digest->left < 64) {
        digest = pair->other;
        if (!digest->halves && digest->left < 64) return;
    }
    if (pair->is_hurried || digest->is_ahead) return take_otherwise(digest, pair->is_hurried);
    if (digest->halves) take_second_half(digest);
    else take_first_half(digest);
}

/// How many times sixteen blocks both have; none where that few do not pay, or schedules are not made ahead.
static size_t groups(const struct digest *one, const struct digest *other) {
    const size_t least = one->left < other->left ? one->left : other->left, groups = least / (64 * schedule_blocks);
    return groups > 1 && one->is_ahead && other->is_ahead ? groups : 0;
}

void digest_settle(struct digest *digest, struct digest *other) {
    finish_begun(digest);
    if (other && other != digest && digest->left >= 64 && other->left >= 64) {
        finish_begun(other);
        const size_t many = groups(digest, other);
        if (many) take_many_of_both(digest, other, many);
        take_both(digest, other, (digest->left < other->left ? digest->left : other->left) / 64);
    }
    const size_t many = groups(digest, digest);
    if (many) take_many(digest, many);
    if (digest->left >= 64) take(digest, digest->left / 64);
}

#else

enum { is_wide = 0, is_sooner_wide = 0 };

_Bool digest_is_supported(void) { return 0; }
void digest_step(struct digest_pair *pair) {}
void digest_settle(struct digest *digest, struct digest *other) {}

#endif

void digest_begin(struct digest *digest, enum digest_schedules schedules) {
    // F, E, B, A and H, G, D, C, from the lowest place up.
    static const uint32_t words[8] = {
        0x9b05688c, 0x510e527f, 0xbb67ae85, 0x6a09e667, 0x5be0cd19, 0x1f83d9ab, 0xa54ff53a, 0x3c6ef372,
    };
    memset(digest, 0, sizeof *digest);
    memcpy(digest->state, words, sizeof words);
    digest->next = (const uint8_t *)words;
    digest->is_ahead = schedules == digest_schedules_ahead ? is_wide : schedules == digest_schedules_best && is_sooner_wide;
}

void digest_end(struct digest *digest) {
    free(digest->ahead);
    digest->ahead = NULL;
}

void digest_bytes(const struct digest *digest, uint8_t *bytes) {
    static const int places[8] = {3, 2, 7, 6, 1, 0, 5, 4};
    for (int word = 0; word < 8; word++)
        for (int byte = 0; byte < 4; byte++)
            bytes[4 * word + byte] = (uint8_t)(digest->state[places[word]] >> (24 - 8 * byte));
}
