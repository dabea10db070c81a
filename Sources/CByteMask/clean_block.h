#ifndef CLEAN_BLOCK_H
#define CLEAN_BLOCK_H

// What 64 bytes of delimited text are, if all its records are clean (`separator_scan.h`).

#include "separator_scan.h"

#define IN_LINE __attribute__((always_inline)) static inline

#if defined(__x86_64__)
/// Code for processors with AVX2, BMI and POPCNT (as since 2013), and for those with AVX-512 and its VBMI2 (since 2019).
#define WIDE __attribute__((target("avx2,bmi,popcnt")))
#define WIDEST __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,popcnt")))
#endif

/// What 64 bytes have; the first in bit 0.
struct block {
    /// Delimiters and line feeds.
    uint64_t separators;
    uint64_t line_feeds, quotes, returns, nuls;
};

/// Ones from each first quote to the byte before its second.
IN_LINE uint64_t running(uint64_t quotes) {
    uint64_t inside = quotes;
    inside ^= inside << 1;
    inside ^= inside << 2;
    inside ^= inside << 4;
    inside ^= inside << 8;
    inside ^= inside << 16;
    inside ^= inside << 32;
    return inside;
}

/// Takes the separators within quotes out; returns the bytes that are not as in a clean record.
IN_LINE uint64_t settle(struct clean_state *state, struct block *block) {
    const uint64_t inside = state->inside ^ running(block->quotes);
    block->separators &= ~inside;
    const uint64_t closings = block->quotes & ~inside, separators = block->separators, returns = block->returns;
    uint64_t odd = block->nuls | ((block->line_feeds | returns) & inside);
    odd |= (returns << 1 | state->after_return) & ~block->line_feeds;
    odd |= block->quotes & inside & ~(separators << 1 | state->after_separator);
    odd |= (closings << 1 | state->after_closing) & ~(separators | returns);
    state->inside = 0 - (inside >> 63);
    state->after_closing = closings >> 63;
    state->after_return = returns >> 63;
    return odd;
}

#endif
