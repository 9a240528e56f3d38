/* Pairs about records: every caller of f_any meets the error of the first function, only a wrong caller of f_wrong. */
#include <stdlib.h>

struct buffer { unsigned len, cap; unsigned char *data; };
int put_any(struct buffer *b, unsigned char c) { if (b->len > b->cap) return -1; b->data[b->cap] = c; return 0; }
int put_wrong(struct buffer *b, unsigned char c) { if (b->len >= b->cap) return -1; b->data[b->len] = c; return 0; }

unsigned char get_any(struct buffer *b, unsigned i) { return b->data[b->len + b->cap]; }
unsigned char get_wrong(struct buffer *b, unsigned i) { return b->data[i]; }

struct node { int value; struct node *next; };
int second_any(struct node *n) { n->next = 0; return n->next->value; }
int second_wrong(struct node *n) { return n->next->value; }

struct ring { unsigned char data[16]; unsigned head; };
void push_any(struct ring *r, unsigned char c) { r->head = 16; r->data[r->head + 4] = c; }
void push_wrong(struct ring *r, unsigned char c) { r->data[r->head] = c; }

struct rate { unsigned sum, count; };
unsigned rate_any(struct rate *r) { r->count = 0; return r->sum / r->count; }
unsigned rate_wrong(struct rate *r) { return r->sum / r->count; }

struct range { int low, high; };
int width_any(struct range *r) { r->low = -1; r->high = 2147483647; return r->high - r->low; }
int width_wrong(struct range *r) { return r->high - r->low; }

struct message { unsigned char length; char *text; };
char end_any(struct message *m) { m->text = NULL; return m->text[0]; }
char end_wrong(struct message *m) { return m->text[m->length - 1]; }

struct stack { int top; int items[8]; };
int pop_any(struct stack *s) { s->top = 0; return s->items[s->top - 1]; }
int pop_wrong(struct stack *s) { return s->items[s->top]; }

struct box { int *content; };
int open_any(struct box *b) { b->content = malloc(sizeof(int)); free(b->content); return *b->content; }
int open_wrong(struct box *b) { return *b->content; }

struct shape { unsigned width, shift; };
unsigned scale_any(struct shape *s) { s->shift = 33; return s->width << s->shift; }
unsigned scale_wrong(struct shape *s) { return s->width << s->shift; }
