// Plain text: the same step, compiled for vectors of three widths.
#include "plain_text.h"

#include "clean_block.h"

/// No byte is left out, so that many are looked at at once.
IN_LINE _Bool is_all_plain(const uint8_t *at, long count) {
    uint8_t odd = 0;
    for (long place = 0; place < count; place += 1) {
        const uint8_t byte = at[place];
        odd |= (uint8_t)(((uint8_t)(byte - 0x20) > 0x5E) & (byte != 0x0A));
        odd |= (uint8_t)((byte == 0x3C) | (byte == 0x3B) | (byte == 0x7C));
    }
    return odd == 0;
}

#if defined(__x86_64__)

WIDE static _Bool is_all_plain_wide(const uint8_t *at, long count) { return is_all_plain(at, count); }

WIDEST static _Bool is_all_plain_widest(const uint8_t *at, long count) { return is_all_plain(at, count); }

_Bool plain_text_in_way(int way, const uint8_t *at, long count) {
    const int ways = separator_scan_ways();
    if (way > ways) way = ways;
    if (way == 3) return is_all_plain_widest(at, count);
    if (way == 2) return is_all_plain_wide(at, count);
    return is_all_plain(at, count);
}

#else

_Bool plain_text_in_way(int way, const uint8_t *at, long count) { return is_all_plain(at, count); }

#endif

_Bool plain_text_is_all(const uint8_t *at, long count) {
    return plain_text_in_way(separator_scan_ways(), at, count);
}
