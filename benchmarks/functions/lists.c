/* Lists with links by pointers and by indices. */
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

struct list {
    struct node *first;
    unsigned length;
};

int list_push(struct list *l, int value) {
    struct node *fresh = malloc(sizeof *fresh);
    if (fresh == NULL)
        return 0;
    fresh->value = value;
    fresh->next = l->first;
    l->first = fresh;
    l->length++;
    return 1;
}

/* The value of the first node, or 0. */
int list_first(const struct list *l) {
    return l->first == NULL ? 0 : l->first->value;
}

/* The first node may be missing. */
int list_second(const struct list *l) {
    return l->first->next != NULL;
}

struct pool {
    short next[32];
    short first;
};

/* Takes an index from a list of free ones; the links are checked. */
int pool_take(struct pool *p) {
    short taken = p->first;
    if (taken < 0 || taken >= 32)
        return -1;
    p->first = p->next[taken];
    p->next[taken] = -1;
    return taken;
}

/* Follows at most 32 links; the number of nodes. */
int pool_length(const struct pool *p) {
    int count = 0;
    short at = p->first;
    while (at >= 0 && at < 32 && count < 32) {
        at = p->next[at];
        count++;
    }
    return count;
}

/* Gives an index back that is not checked. */
void pool_give(struct pool *p, short index) {
    p->next[index] = p->first;
    p->first = index;
}
