/* Whether a stream was closed. One closed stream is remembered, whichever it is: a use of any one is a run. */
static void *closed;

void __chcverify_close(void *stream) {
  if (!closed || __VERIFIER_nondet_int()) closed = stream;
}

int __chcverify_is_closed(void *stream) { return stream && stream == closed; }

/* One stream over memory (POSIX fmemopen, open_memstream). At each use of it all of its memory may change, or not. */
typedef __typeof__(sizeof(0)) size_t;
static void *over_memory;
static char *memory;    /* of fmemopen, null if it does not write, */
static size_t room;     /* with so many bytes; */
static char **text_at;  /* of open_memstream, null for fmemopen: where the program finds the block */
static size_t *size_at; /* and its size without the null character */
static char *block;

static void *opened(void) {
  if (over_memory) __chcverify_other_stream_in_memory();
  if (__VERIFIER_nondet_int()) return over_memory = __chcverify_object(216);
  int reason = __VERIFIER_nondet_int();
  __VERIFIER_assume(reason > 0);
  *__errno_location() = reason;
  return 0;
}

void *fmemopen(void *to, size_t size, const char *mode) {
  size_t length = strlen(mode);
  void *stream = opened();
  if (!stream) return 0;
  int writes = mode[0] != 'r';
  for (size_t i = 0; i < length; i++) writes |= mode[i] == '+';
  memory = writes ? to : 0;
  room = size;
  text_at = 0;
  if (memory && size > 0 && __chcverify_in_stream()) memory[0] = 0;
  return stream;
}

void *open_memstream(char **text, size_t *size) {
  void *stream = opened();
  if (!stream) return 0;
  text_at = text;
  size_at = size;
  block = 0;
  return stream;
}

/* A call is given the stream; null: it is about all of them. */
void __chcverify_use_stream(void *stream) {
  if (!over_memory || (stream && stream != over_memory)) return;
  size_t length = (unsigned)__chcverify_in_stream();
  if (text_at) {
    free(block);
    *text_at = block = malloc(length + 1);
    *size_at = length;
    for (size_t i = 0; i < length; i++) block[i] = __chcverify_in_stream();
    block[length] = 0;
  } else if (memory) {
    for (size_t i = 0; i < room; i++) {
      if (__chcverify_in_stream()) memory[i] = __chcverify_in_stream();
    }
  }
}

void __chcverify_end_stream(void *stream) {
  if (stream != over_memory) return;
  over_memory = 0;
  memory = block = 0;
  text_at = 0;
  size_at = 0;
}
