#ifndef ROW_HASH_H
#define ROW_HASH_H

// SipHash-2-4 with 128 bits of output and a key of zeros, of eight texts side by side: the rounds of one hash wait for
// each other and leave most of a processor idle. `StableHash` says the same in Swift, and is the oracle in tests.
// A hash is two words, the higher half first.

#include <stdint.h>

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

/// The same without instructions that only some processors have.
void row_hash_texts_any(
    const uint8_t *_Nonnull memory, const uint32_t *_Nonnull starts, const uint32_t *_Nonnull words,
    uint64_t *_Nonnull hashes);
void row_hash_firsts_any(const uint64_t *_Nonnull hashes, uint64_t *_Nonnull ids);

#endif
