"""Small programs with threads, by what they are: without races or with one, safe or faulty."""

HEAD = """
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **); pthread_t pthread_self(void); void pthread_exit(void *);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int);
void reach_error(void) {} int __VERIFIER_nondet_int(void);
typedef struct { struct { int __owner, __count, __kind; } __data; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int x, y; pthread_mutex_t m, n; pthread_t t, u;
"""
ADD = "void *f(void *p) { x = x + 1; return 0; }"
LOCKED = "void *f(void *p) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }"
ATOMIC = "void *f(void *p) { __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end(); return 0; }"
TWICE = " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); return 0; }"
OFTEN = " int main(void) { for (int i = 0; i < 9; i++) pthread_create(&t, 0, f, 0); return 0; }"
NO_RACE = {
    "lock": LOCKED + TWICE,
    "instances": LOCKED + OFTEN,
    "section": ATOMIC + TWICE,
    "join": ADD + " int main(void) { x = 1; pthread_create(&t, 0, f, 0); pthread_join(t, 0); x = 2; return 0; }",
    "arguments": "void *f(void *p) { *(int *)p = 1; return 0; }"
    " int main(void) { pthread_create(&t, 0, f, &x); pthread_create(&u, 0, f, &y); return 0; }",
}
RACE = {
    "nothing": ADD + TWICE,
    "instances": ADD + OFTEN,
    "two locks": LOCKED
    + LOCKED.replace("*f(", "*g(").replace("&m", "&n")
    + " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); return 0; }",
    "main": ADD + " int main(void) { pthread_create(&t, 0, f, 0); x = 1; return 0; }",
    "section and none": ATOMIC + " int main(void) { pthread_create(&t, 0, f, 0); return x; }",
    "neighbouring bit-fields": "struct { unsigned a : 3, b : 3; } s; void *f(void *p) { s.a = 1; return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); s.b = 1; return 0; }",
    "never read": "void *f(void *p) { y = 1; return 0; }" + TWICE,
    "argument": "void *f(void *p) { *(int *)p = 1; return 0; }"
    " int main(void) { int z; pthread_create(&t, 0, f, &z); z = 2; return 0; }",
    "before a thread waits for ever": "void *f(void *p) { int c = 0; y = 1; __VERIFIER_assume(c); return 0; }"
    " void *g(void *p) { __VERIFIER_atomic_begin(); int c = y; __VERIFIER_atomic_end(); if (c == 1) x = 1; return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); x = 2; return 0; }",
    "after exit of a thread": "void *f(void *p) { x = 1; pthread_exit(0); return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); return 0; }",
}
SAFE = {
    "set once": "void *f(void *p) { __VERIFIER_atomic_begin(); if (!x) x = 1; __VERIFIER_atomic_end(); return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); if (x > 1) reach_error(); return 0; }",
}
UNSAFE = {
    "between two reads": "void *f(void *p) { x = 1; return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); if (x != x) reach_error(); return 0; }",
    "lost update": ADD + " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);"
    " pthread_join(t, 0); pthread_join(u, 0); if (x != 2) reach_error(); return 0; }",
    "result": "void *f(void *p) { return p; } int main(void) { void *r; pthread_create(&t, 0, f, &x);"
    " pthread_join(t, &r); if (r == &x) reach_error(); return 0; }",
}
