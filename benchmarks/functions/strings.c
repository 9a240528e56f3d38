/* Utilities on texts of fixed and of given size. */
#include <stddef.h>

struct text {
    char data[64];
    size_t length;
};

size_t text_length(const struct text *t) {
    size_t n = 0;
    while (n < sizeof t->data && t->data[n] != '\0')
        n++;
    return n;
}

int text_append(struct text *t, char c) {
    if (t->length >= sizeof t->data - 1)
        return 0;
    t->data[t->length] = c;
    t->length++;
    t->data[t->length] = '\0';
    return 1;
}

/* Letters to capitals, in place. */
void text_upper(struct text *t) {
    for (size_t i = 0; i < sizeof t->data; i++) {
        char c = t->data[i];
        if (c == '\0')
            return;
        if (c >= 'a' && c <= 'z')
            t->data[i] = (char)(c - 'a' + 'A');
    }
}

void text_reverse(struct text *t) {
    size_t low = 0, high = t->length;
    if (high > sizeof t->data)
        return;
    while (high > low + 1) {
        char c = t->data[low];
        high--;
        t->data[low] = t->data[high];
        t->data[high] = c;
        low++;
    }
}

/* Writes the end of a text at a length that is not checked. */
void text_truncate(struct text *t, size_t length) {
    t->data[length] = '\0';
    t->length = length;
}
