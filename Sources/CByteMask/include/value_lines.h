#ifndef VALUE_LINES_H
#define VALUE_LINES_H

// Whether lines are rows of values, 64 bytes at once, for those who look at many small files. On x86 with AVX-512 or AVX2
// where they are there; `ValueLinesTests` hold it to what the records' cells say.

#include <stdint.h>

/// Whether all lines of a text surely are clean records (`separator_scan.h`) in ASCII that begin with a digit, and of
/// whose cells with content more than a quarter begin with a digit or one of `- + ( .`. No says nothing.
///
/// The text begins with a line, of which the last need not end; nothing behind it is read. With `seconds`, 256 of them, no
/// second cell begins with a byte for which it says so; of a cell in quotes that byte is the quote, of an empty one what
/// stands behind it.
_Bool value_lines_are_sure(
    const uint8_t *_Nonnull at, long count, uint8_t delimiter, uint8_t quote, const _Bool *_Nullable seconds);

/// The same in one of `separator_scan_ways`, for tests.
_Bool value_lines_in_way(
    int way, const uint8_t *_Nonnull at, long count, uint8_t delimiter, uint8_t quote, const _Bool *_Nullable seconds);

#endif
