/* Ring buffers of fixed and of given size. */
#include <stddef.h>
#include <stdint.h>

#define SLOTS 64u

struct ring {
    uint8_t slot[SLOTS];
    unsigned head;
    unsigned tail;
};

struct queue {
    int *items;
    size_t capacity;
    size_t first;
    size_t count;
};

/* Masked indices: any state is safe. */
int ring_put(struct ring *r, uint8_t value) {
    if (r->head - r->tail >= SLOTS)
        return 0;
    r->slot[r->head % SLOTS] = value;
    r->head++;
    return 1;
}

int ring_get(struct ring *r, uint8_t *value) {
    if (r->head == r->tail)
        return 0;
    *value = r->slot[r->tail % SLOTS];
    r->tail++;
    return 1;
}

/* Copies what fits into a buffer of 16 bytes. */
unsigned ring_peek(const struct ring *r, uint8_t out[16]) {
    uint8_t copy[16];
    unsigned n = 0;
    while (n < 16 && r->tail + n != r->head) {
        copy[n] = r->slot[(r->tail + n) % SLOTS];
        n++;
    }
    if (n > 0)
        out[0] = copy[n - 1];
    return n;
}

/* The index is trusted: a state that no constructor builds violates it. */
int ring_get_unmasked(struct ring *r) {
    int value = r->slot[r->tail];
    r->tail = (r->tail + 1) % SLOTS;
    return value;
}

/* Divides by a capacity that may be zero, and trusts the size of the block. */
int queue_push(struct queue *q, int value) {
    if (q->count == q->capacity)
        return 0;
    q->items[(q->first + q->count) % q->capacity] = value;
    q->count++;
    return 1;
}
