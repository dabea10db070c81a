#ifndef DIGEST_H
#define DIGEST_H

// SHA-256 (FIPS 180-4) of whole blocks of 64 bytes, with the processor's own instructions for it where it has them.
//
// Their rounds wait for each other, so that one digest leaves most of the processor idle. Two digests side by side take
// the time of one, and half a block between other work almost none: that is what these functions are for. Where that is
// quicker, nothing but rounds is left to do (`schedule.h`). Padding, and processors without such instructions, are the
// caller's matter.

#include <stddef.h>
#include <stdint.h>

/// A digest on its way, and the bytes that it has still to take.
struct digest {
    /// A, B, E, F and C, D, G, H from the highest place down, as the instructions have them.
    uint32_t state[8];
    /// When the first half of a block is done: the state before it, and the last 16 words of the message schedule.
    uint32_t start[8];
    uint32_t schedule[16];
    _Bool is_half;
    /// Whether schedules may be made ahead, of sixteen blocks at once; memory for them, and how many half blocks of them
    /// are still to be taken: the blocks, and the one that is half done, are among the bytes below.
    _Bool is_ahead;
    unsigned halves_ahead;
    uint32_t *_Nullable ahead;
    /// So many bytes are readable from here on; a block with `is_half` is not among them.
    const uint8_t *_Nonnull next;
    size_t left;
};

/// Whether this processor has the instructions; nothing else here may be called when it has not.
_Bool digest_is_supported(void);

/// Where the message schedules are made.
enum digest_schedules {
    /// Where they are made sooner on this processor.
    digest_schedules_best,
    /// Between the rounds, by the processor's instructions for them.
    digest_schedules_between,
    /// Ahead of the rounds (`schedule.h`), if the processor can.
    digest_schedules_ahead,
};

/// A digest of nothing yet (FIPS 180-4, section 5.3.3).
void digest_begin(struct digest *_Nonnull digest, enum digest_schedules schedules);

/// Gives a digest's memory back.
void digest_end(struct digest *_Nonnull digest);

/// Two digests that one thread makes beside its other work; they may be the same.
struct digest_pair {
    struct digest *_Nonnull one;
    struct digest *_Nonnull other;
    /// Whether whole blocks are taken, which hide less well behind other work.
    _Bool is_hurried;
};

/// Takes half a block, or a whole one in a hurry: of `one`, or if that has none, of `other`.
void digest_step(struct digest_pair *_Nonnull pair);

/// Takes all whole blocks of a digest, and as many of another one beside them.
void digest_settle(struct digest *_Nonnull digest, struct digest *_Nullable other);

/// The digest's 32 bytes, from A to H, each word in big-endian order.
void digest_bytes(const struct digest *_Nonnull digest, uint8_t *_Nonnull bytes);

#endif
