#ifndef SCHEDULE_H
#define SCHEDULE_H

// The message schedules (FIPS 180-4, section 6.2.2, step 1) of sixteen blocks side by side, each with the constants of
// its rounds added, so that nothing but the rounds themselves is left to do.
//
// The processor's own instructions for schedules are several operations each, and may take longer than the rounds: side
// by side in registers of 512 bits they cost a fifth. For processors with AVX512F and AVX512BW only.

#include <stddef.h>
#include <stdint.h>

enum {
    /// So many blocks are prepared at once.
    schedule_blocks = 16,
    /// So many 32-bit words their schedules are.
    schedule_words = 64 * schedule_blocks,
    /// From a block's words to those of the next block, and from the words of two rounds to those of the next two.
    schedule_block = 2,
    schedule_stride = schedule_block * schedule_blocks,
    /// So many parts there are, of four rounds each; as many as there are blocks, whose rounds go between them.
    schedule_parts = 16,
};

/// Prepares sixteen blocks that follow each other; `words` lies on a boundary of 64 bytes.
void schedule_make(uint32_t *_Nonnull words, const uint8_t *_Nonnull blocks);

/// The same in parts, between other work: first the blocks are read into `all`, which has `schedule_words` as well, then
/// each of `schedule_parts` parts follows the one before it.
void schedule_read(uint32_t *_Nonnull all, const uint8_t *_Nonnull blocks);
void schedule_make_part(uint32_t *_Nonnull words, uint32_t *_Nonnull all, unsigned part);

/// FIPS 180-4, section 4.2.2.
extern const uint32_t digest_constants[64] __attribute__((aligned(16)));

#endif
