/* Parsing of numbers, names and lines, as configuration and message parsers do it. */
#include <stddef.h>

struct reader {
    char line[128];
    unsigned at;
    unsigned length;
    int error;
};

/* The next character; 0 at the end. */
int reader_next(struct reader *r) {
    if (r->length > sizeof r->line || r->at >= r->length)
        return 0;
    return (unsigned char)r->line[r->at++];
}

/* Skips blanks; the number of characters that were skipped. */
unsigned reader_skip_blanks(struct reader *r) {
    unsigned begin = r->at;
    if (r->length > sizeof r->line)
        return 0;
    while (r->at < r->length && (r->line[r->at] == ' ' || r->line[r->at] == '\t'))
        r->at++;
    return r->at - begin;
}

/* A decimal number of at most nine digits. */
int reader_number(struct reader *r, int *result) {
    int value = 0, digits = 0;
    if (r->length > sizeof r->line) {
        r->error = 1;
        return 0;
    }
    while (r->at < r->length && digits < 9) {
        char c = r->line[r->at];
        if (c < '0' || c > '9')
            break;
        value = value * 10 + (c - '0');
        digits++;
        r->at++;
    }
    if (digits == 0) {
        r->error = 2;
        return 0;
    }
    *result = value;
    return 1;
}

/* A number without a limit of its digits: the value overflows. */
int parse_number_unlimited(const struct reader *r) {
    int value = 0;
    for (unsigned i = 0; i < sizeof r->line && r->line[i] >= '0' && r->line[i] <= '9'; i++)
        value = value * 10 + (r->line[i] - '0');
    return value;
}

/* Splits "key=value" in place; the position of the value, -1 without one. */
int split_assignment(struct reader *r) {
    unsigned i;
    if (r->length >= sizeof r->line)
        return -1;
    for (i = 0; i < r->length; i++) {
        if (r->line[i] == '=') {
            r->line[i] = '\0';
            return (int)i + 1;
        }
    }
    return -1;
}
