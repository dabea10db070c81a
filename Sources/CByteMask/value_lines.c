// Lines of values: the same steps, compiled for vectors of three widths.
#include "value_lines.h"

#include <string.h>

#include "clean_block.h"

typedef uint8_t bytes64 __attribute__((vector_size(64)));
typedef _Bool bits64 __attribute__((ext_vector_type(64)));

/// A bit for each byte that is not 0, the first in bit 0.
#define BITS(found) __builtin_bit_cast(uint64_t, __builtin_convertvector(found, bits64))

/// The lines of a text so far.
struct value_lines {
    struct clean_state before;
    uint8_t delimiter, quote;
    /// By byte: whether a second cell must not begin with it; NULL when any may.
    const _Bool *seconds;
    /// In bit 0, whether the byte before ends a line, and whether it is the quote that a cell begins with.
    uint64_t after_line_feed, after_opening;
    /// Whether the line that is open has had its second cell.
    _Bool has_second;
    /// Of the line that is open: cells with content, and those of them that begin as values do. `""` counts as content.
    long filled, among;
};

IN_LINE long ones(uint64_t mask) { return __builtin_popcountll(mask); }

/// Whether the second cell of the line that is open may begin as it does, if it begins where one of `later` does: those
/// cells of a part of 64 bytes that are not the first of their lines.
IN_LINE _Bool is_second_right(struct value_lines *lines, const uint8_t *at, uint64_t later) {
    if (lines->has_second || later == 0) return 1;
    lines->has_second = 1;
    return !lines->seconds[at[__builtin_ctzll(later)]];
}

/// Goes on with the first `count` of 64 bytes; whether all is still sure.
IN_LINE _Bool take(struct value_lines *lines, const uint8_t *at, long count) {
    bytes64 bytes;
    memcpy(&bytes, at, sizeof bytes);
    const uint64_t within = count < 64 ? ((uint64_t)1 << count) - 1 : ~(uint64_t)0;
    struct block block = {0, BITS(bytes == 0x0A), BITS(bytes == lines->quote), BITS(bytes == 0x0D), BITS(bytes == 0)};
    block.separators = BITS(bytes == lines->delimiter) | block.line_feeds;
    const uint64_t digits = BITS(bytes - 0x30 < 10), high = BITS(bytes > 0x7F);
    const uint64_t values = digits | BITS((bytes == '-') | (bytes == '+') | (bytes == '(') | (bytes == '.'));
    const uint64_t begins = lines->before.after_separator;
    uint64_t odd = high;
    // Most blocks have nothing but cells as they stand.
    const struct clean_state *before = &lines->before;
    const uint64_t others = block.quotes | block.returns | block.nuls;
    if ((others | before->inside | before->after_closing | before->after_return) != 0)
        odd |= settle(&lines->before, &block);
    lines->before.after_separator = block.separators >> 63;
    // Where cells begin, and the content of those in quotes.
    const uint64_t cells = block.separators << 1 | begins;
    const uint64_t openings = cells & block.quotes;
    const uint64_t contents = openings << 1 | lines->after_opening;
    const uint64_t rows = block.line_feeds << 1 | lines->after_line_feed;
    lines->after_line_feed = block.line_feeds >> 63;
    lines->after_opening = openings >> 63;
    if (((odd | (rows & ~digits)) & within) != 0) return 0;
    uint64_t filled = cells & ~(block.separators | block.returns) & within;
    uint64_t among = (cells | contents) & values & within, later = lines->seconds ? cells & ~rows & within : 0;
    for (uint64_t ends = block.line_feeds & within; ends != 0; ends &= ends - 1) {
        const uint64_t line = ends ^ (ends - 1);
        if (4 * (lines->among + ones(among & line)) <= lines->filled + ones(filled & line)) return 0;
        if (!is_second_right(lines, at, later & line)) return 0;
        lines->filled = lines->among = 0;
        lines->has_second = 0;
        filled &= ~line;
        among &= ~line;
        later &= ~line;
    }
    lines->filled += ones(filled);
    lines->among += ones(among);
    return is_second_right(lines, at, later);
}

IN_LINE _Bool are_sure(const uint8_t *at, long count, uint8_t delimiter, uint8_t quote, const _Bool *seconds) {
    struct value_lines lines = {{0, 1, 0, 0}, delimiter, quote, seconds, 1, 0, 0, 0, 0};
    for (; count >= 64; at += 64, count -= 64)
        if (!take(&lines, at, 64)) return 0;
    // Behind the last bytes stands an end of line, so that the last one has one.
    uint8_t rest[64] = {0};
    memcpy(rest, at, (size_t)count);
    const _Bool is_ended = count == 0 ? lines.after_line_feed != 0 : rest[count - 1] == 0x0A;
    if (!is_ended) rest[count++] = 0x0A;
    return count == 0 || take(&lines, rest, count);
}

#if defined(__x86_64__)
WIDE static _Bool are_sure_wide(
    const uint8_t *at, long count, uint8_t delimiter, uint8_t quote, const _Bool *seconds) {
    return are_sure(at, count, delimiter, quote, seconds);
}

WIDEST static _Bool are_sure_widest(
    const uint8_t *at, long count, uint8_t delimiter, uint8_t quote, const _Bool *seconds) {
    return are_sure(at, count, delimiter, quote, seconds);
}

_Bool value_lines_in_way(
    int way, const uint8_t *at, long count, uint8_t delimiter, uint8_t quote, const _Bool *seconds) {
    const int ways = separator_scan_ways();
    if (way > ways) way = ways;
    if (way == 3) return are_sure_widest(at, count, delimiter, quote, seconds);
    if (way == 2) return are_sure_wide(at, count, delimiter, quote, seconds);
    return are_sure(at, count, delimiter, quote, seconds);
}

#else

_Bool value_lines_in_way(
    int way, const uint8_t *at, long count, uint8_t delimiter, uint8_t quote, const _Bool *seconds) {
    return are_sure(at, count, delimiter, quote, seconds);
}

#endif

_Bool value_lines_are_sure(const uint8_t *at, long count, uint8_t delimiter, uint8_t quote, const _Bool *seconds) {
    return value_lines_in_way(separator_scan_ways(), at, count, delimiter, quote, seconds);
}
