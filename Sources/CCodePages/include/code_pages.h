#ifndef CODE_PAGES_H
#define CODE_PAGES_H

// The pairs of bytes of four code pages of East Asia. The tables are constants in C, which has them in the program's file
// until one is asked for: nothing is made of them at start.

#include <stdint.h>

/// The code pages as Windows has them: 932, 936 with the additions of GB 18030, 949, 950.
enum code_page { code_page_is_shift_jis, code_page_is_gbk, code_page_is_euc_kr, code_page_is_big5 };

/// The character of a pair of bytes, 0 if there is none; any number is taken for the page, any bytes for the pair.
uint16_t code_page_character(uint8_t page, uint8_t lead, uint8_t trail);

#endif
