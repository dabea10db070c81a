#ifndef CODE_PAGES_H
#define CODE_PAGES_H

// Code pages: Windows-1252, and the pairs of bytes of four of East Asia. The tables are constants in C, which has them in the program's file
// until one is asked for: nothing is made of them at start.

#include <stdint.h>

/// The code pages as Windows has them: 932, 936 with the additions of GB 18030, 949, 950.
enum code_page { code_page_is_shift_jis, code_page_is_gbk, code_page_is_euc_kr, code_page_is_big5 };

/// The character of a pair of bytes, 0 if there is none; any number is taken for the page, any bytes for the pair.
uint16_t code_page_character(uint8_t page, uint8_t lead, uint8_t trail);

/// Code pages of single bytes.
enum single_byte_page {
    single_byte_page_is_windows_1250,
    single_byte_page_is_windows_1251,
    single_byte_page_is_windows_1253,
    single_byte_page_is_windows_1254,
    single_byte_page_is_windows_1257,
    single_byte_page_is_iso_8859_2,
    single_byte_page_is_iso_8859_15,
};

/// The character of a byte; that of ASCII for any other number of a page.
uint16_t single_byte_character(uint8_t page, uint8_t byte);

/// The character of a byte of Windows-1252 as the WHATWG Encoding Standard has it: the five undefined bytes are C1
/// controls.
static inline uint16_t windows_1252_character(uint8_t byte) {
    static const uint16_t upper[32] = {
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
        0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x009D, 0x017E, 0x0178,
    };
    return (byte & 0xE0) == 0x80 ? upper[byte & 0x1F] : byte;
}

#endif
