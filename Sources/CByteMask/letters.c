// The letters of texts, by a table: two bits would have to be made and chosen from for each byte otherwise.
#include "letters.h"

#define LOW(byte) {(uint64_t)1 << (byte), 0}
#define HIGH(byte) {0, (uint64_t)1 << ((byte)-64)}
#define EIGHT(kind, byte) \
    kind(byte), kind(byte + 1), kind(byte + 2), kind(byte + 3), kind(byte + 4), kind(byte + 5), kind(byte + 6), kind(byte + 7)

/// Capital letters are those of the other case; bytes that are not ASCII have none.
static const uint64_t bits[256][2] __attribute__((aligned(16))) = {
    EIGHT(LOW, 0), EIGHT(LOW, 8), EIGHT(LOW, 16), EIGHT(LOW, 24), EIGHT(LOW, 32), EIGHT(LOW, 40), EIGHT(LOW, 48),
    EIGHT(LOW, 56), HIGH('@'), HIGH('a'), HIGH('b'), HIGH('c'), HIGH('d'), HIGH('e'), HIGH('f'), HIGH('g'),
    EIGHT(HIGH, 'h'), EIGHT(HIGH, 'p'), HIGH('x'), HIGH('y'), HIGH('z'), HIGH('['), HIGH('\\'), HIGH(']'), HIGH('^'),
    HIGH('_'), EIGHT(HIGH, 96), EIGHT(HIGH, 104), EIGHT(HIGH, 112), EIGHT(HIGH, 120),
};

struct letters letters_of(const uint8_t *at, long count) {
    struct letters letters = {0, 0};
    for (long place = 0; place < count; place++) {
        letters.low |= bits[at[place]][0];
        letters.high |= bits[at[place]][1];
    }
    return letters;
}
