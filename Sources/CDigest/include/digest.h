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
    /// A, B, E, F and C, D, G, H from the highest place down, as the instructions have them: before the block that is
    /// next or begun, and in its middle when its first half is done.
    uint32_t state[8], middle[8];
    /// Of a block that is begun without a schedule made ahead: the last 16 words of its schedule.
    uint32_t schedule[16];
    /// So many half blocks are begun or have their schedules made, and are not taken; they are no more among the bytes
    /// below. The first of them is the second half of a block when their number is odd.
    unsigned halves;
    /// Whether schedules may be made ahead, of sixteen blocks at once; and memory for them.
    _Bool is_ahead;
    uint32_t *_Nullable ahead;
    /// So many bytes are readable from here on.
    const uint8_t *_Nonnull next;
    size_t left;
    /// Where in `ahead` the words of the first half's block are; without them, they are in `schedule`.
    const uint32_t *_Nullable words;
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
