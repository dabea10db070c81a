#ifndef LETTERS_H
#define LETTERS_H

// Which ASCII characters a text has, case apart. `TemplateTests` hold it to each byte alone.

#include <stdint.h>

/// A bit for each character: those below 64, and from 64 on.
struct letters {
    uint64_t low, high;
};

/// The characters of `count` bytes; capital letters are taken for small ones, bytes that are not ASCII for none.
struct letters letters_of(const uint8_t *_Nonnull at, long count);

#endif
