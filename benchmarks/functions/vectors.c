/* Vectors that grow, matrices, sorting. */
#include <stdlib.h>
#include <string.h>

struct vector {
    int *data;
    size_t length;
    size_t capacity;
};

/* A new vector; its block may be missing. */
int vector_new(struct vector *v, size_t capacity) {
    if (capacity == 0 || capacity > 1000)
        return 0;
    v->data = malloc(capacity * sizeof *v->data);
    if (v->data == NULL)
        return 0;
    v->length = 0;
    v->capacity = capacity;
    v->data[capacity - 1] = 0;
    return 1;
}

/* Trusts capacity. */
int vector_get(const struct vector *v, size_t index) {
    return index < v->length ? v->data[index] : 0;
}

struct matrix {
    int cell[4][4];
};

int matrix_trace(const struct matrix *m) {
    unsigned sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (unsigned)m->cell[i][i];
    return sum != 0;
}

void matrix_transpose(struct matrix *m) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            int kept = m->cell[i][j];
            m->cell[i][j] = m->cell[j][i];
            m->cell[j][i] = kept;
        }
}

struct sample {
    int value[16];
    unsigned count;
};

void sample_sort(struct sample *s) {
    if (s->count > 16)
        s->count = 16;
    for (unsigned i = 1; i < s->count; i++) {
        int key = s->value[i];
        unsigned j = i;
        while (j > 0 && s->value[j - 1] > key) {
            s->value[j] = s->value[j - 1];
            j--;
        }
        s->value[j] = key;
    }
}

/* Divides by a count that may be zero; the sum may overflow. */
int sample_mean(const struct sample *s) {
    int sum = 0;
    for (unsigned i = 0; i < s->count && i < 16; i++)
        sum += s->value[i];
    return sum / (int)s->count;
}
