#include "code_pages.h"

// Each row holds what the trail bytes 0x40 to 0xFE mean after one lead byte; U+FFFD is nothing.
extern const unsigned short code_page_shift_jis[];
extern const unsigned short code_page_gbk[];
extern const unsigned short code_page_euc_kr[];
extern const unsigned short code_page_big5[];

enum { first_trail = 0x40, trails = 191, nothing = 0xFFFD };

uint16_t code_page_character(uint8_t page, uint8_t lead, uint8_t trail) {
    if (trail < first_trail || trail >= first_trail + trails) return 0;
    const unsigned short *table;
    unsigned row;
    switch (page) {
    case code_page_is_shift_jis:
        if (lead >= 0x81 && lead <= 0x9F) {
            row = lead - 0x81u;
        } else if (lead >= 0xE0 && lead <= 0xFC) {
            // Between them stand bytes that are characters by themselves.
            row = lead - 0xE0u + 31;
        } else {
            return 0;
        }
        table = code_page_shift_jis;
        break;
    case code_page_is_gbk:
        if (lead < 0x81 || lead > 0xFE) return 0;
        row = lead - 0x81u;
        table = code_page_gbk;
        break;
    case code_page_is_euc_kr:
        if (lead < 0x81 || lead > 0xFD) return 0;
        row = lead - 0x81u;
        table = code_page_euc_kr;
        break;
    case code_page_is_big5:
        if (lead < 0xA1 || lead > 0xF9) return 0;
        row = lead - 0xA1u;
        table = code_page_big5;
        break;
    default: return 0;
    }
    const uint16_t character = table[row * trails + (trail - first_trail)];
    return character == nothing ? 0 : character;
}
