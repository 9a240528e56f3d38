/* Encoders and decoders: hexadecimal, base 64, run lengths, bytes of words, check sums. */
#include <stddef.h>
#include <stdint.h>

static const char DIGITS[] = "0123456789abcdef";

void byte_to_hex(uint8_t byte, char out[2]) {
    char pair[2];
    pair[0] = DIGITS[byte >> 4];
    pair[1] = DIGITS[byte & 15];
    out[0] = pair[0] > pair[1] ? pair[0] : pair[1];
}

int hex_digit(int c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The bytes of a word, least significant first. */
uint32_t store_word(uint32_t word) {
    uint8_t bytes[4];
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
    for (int i = 0; i < 4; i++)
        sum += bytes[i];
    return sum;
}

struct block {
    uint8_t in[32];
    uint8_t out[64];
};

/* Run lengths: a count and a byte for each run of at most 255; the number of bytes written. */
unsigned encode_runs(struct block *b) {
    unsigned from = 0, to = 0;
    while (from < sizeof b->in) {
        uint8_t value = b->in[from];
        uint8_t count = 0;
        while (from < sizeof b->in && b->in[from] == value && count < 255) {
            from++;
            count++;
        }
        if (to + 2 > sizeof b->out)
            return to;
        b->out[to] = count;
        b->out[to + 1] = value;
        to += 2;
    }
    return to;
}

/* Trusts the counts of its input. */
unsigned decode_runs(struct block *b) {
    unsigned to = 0;
    for (unsigned from = 0; from + 1 < sizeof b->in; from += 2)
        for (unsigned n = 0; n < b->in[from]; n++)
            b->out[to++] = b->in[from + 1];
    return to;
}

uint16_t crc16_byte(uint16_t crc, uint8_t byte) {
    crc ^= (uint16_t)(byte << 8);
    for (int i = 0; i < 8; i++)
        crc = crc & 0x8000u ? (uint16_t)((crc << 1) ^ 0x1021u) : (uint16_t)(crc << 1);
    return crc;
}
