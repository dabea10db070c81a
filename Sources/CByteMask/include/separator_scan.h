#ifndef SEPARATOR_SCAN_H
#define SEPARATOR_SCAN_H

// Where the cells and lines of delimited text end: 64 bytes at once, quotes by a running xor, places side by side. On x86
// with AVX-512 or AVX2 where they are there; `scan_on_any` does the same with what every processor has, and
// `BlockReaderTests` hold what comes of it to the scalar grammar.

#include <stdint.h>

/// What the bytes before leave to those that follow, in a text whose records are to be clean: cells without quotes, or
/// quoted from end to end with no quote or line end within, lines that end in LF or CR LF.
struct clean_state {
    /// All ones within quotes.
    uint64_t inside;
    /// In bit 0, whether the byte before is a separator, a closing quote, a carriage return; a text begins after a
    /// separator.
    uint64_t after_separator, after_closing, after_return;
};

/// How far such a text was read.
struct separator_scan {
    /// Where the places of the next separators (delimiters and line feeds that are not within quotes) and line feeds are
    /// written to; they are counted from the start of the text.
    uint32_t *_Nonnull separators, *_Nonnull line_feeds;
    struct clean_state before;
    /// How many bytes were read.
    uint32_t position;
    uint8_t delimiter, quote;
    /// Whether there may be a byte that is not ASCII.
    _Bool has_high;
    /// Whether there is no more to be read: the text has ended within 64 bytes, or a byte was met that is not as in a clean
    /// record. What stands before it is right whatever follows.
    _Bool is_over;
};

/// So many places more than were found are written to.
#define SEPARATOR_SLACK 64

/// Goes on with the next `count` bytes, as long as it is not over. A `count` that is no multiple of 64 ends the text.
///
/// The caller vouches that `count` bytes, and those that are missing to a multiple of 64, are readable at the address, and
/// that there is room for a place for each byte of the text and `SEPARATOR_SLACK` more.
void separator_scan_on(struct separator_scan *_Nonnull scan, const uint8_t *_Nonnull at, uint32_t count);

/// How many ways there are to do it on this processor: the first has only what every one has, the last is the one that is
/// taken.
int separator_scan_ways(void);

/// The same in one of the ways, for tests.
void separator_scan_in_way(int way, struct separator_scan *_Nonnull scan, const uint8_t *_Nonnull at, uint32_t count);

#endif
