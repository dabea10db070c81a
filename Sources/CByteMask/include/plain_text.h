#ifndef PLAIN_TEXT_H
#define PLAIN_TEXT_H

// Whether text is the same in every encoding. `PlainTextTests` hold it to each byte alone.

#include <stdint.h>

/// Whether all bytes of a text are printable ASCII or line feeds, and none is `<`, `;` or `|`.
_Bool plain_text_is_all(const uint8_t *_Nonnull at, long count);

/// The same in one of `separator_scan_ways`, for tests.
_Bool plain_text_in_way(int way, const uint8_t *_Nonnull at, long count);

#endif
