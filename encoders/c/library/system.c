/* What the system gives: input of any bytes, its own objects, streams. */
typedef __typeof__(sizeof(0)) size_t;

static long failed(void) {
  int reason = __VERIFIER_nondet_int();
  __VERIFIER_assume(reason > 0);
  *__errno_location() = reason;
  return -1;
}

/* -1, or the number of bytes, which is 0 at the end of the input. */
long read(int file, void *to, size_t count) {
  char *target = to;
  long length = __VERIFIER_nondet_long();
  __VERIFIER_assume(length >= -1 && (length < 0 || (size_t)length <= count));
  if (length < 0) return failed();
  for (long i = 0; i < length; i++) target[i] = __VERIFIER_nondet_char();
  return length;
}

long pread(int file, void *to, size_t count, long offset) { return read(file, to, count); }

long recv(int socket, void *to, size_t count, int flags) { return read(socket, to, count); }

long getrandom(void *to, size_t count, unsigned flags) { return read(0, to, count); }

int getentropy(void *to, size_t count) {
  char *target = to;
  if (count > 256 || __VERIFIER_nondet_int()) return (int)failed();
  for (size_t i = 0; i < count; i++) target[i] = __VERIFIER_nondet_char();
  return 0;
}

/* Whole elements are counted; of one that is not whole any bytes are there (C11 7.21.8.1). */
size_t fread(void *to, size_t size, size_t count, void *stream) {
  char *target = to;
  if (!size || !count) return 0;
  size_t length = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(length <= size * count);
  for (size_t i = 0; i < length; i++) target[i] = __VERIFIER_nondet_char();
  return length / size;
}

/* A line with its end, and a null character behind it, in a block that is made as large as it needs to be. */
long getdelim(char **line, size_t *size, int end, void *stream) {
  size_t length = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(length < 0x7fffffffffffffff);
  if (!*line || *size <= length) {
    size_t larger = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(larger > length && larger > 1);
    *line = *line ? realloc(*line, larger) : malloc(larger);
    *size = larger;
  }
  if (length == 0) return failed(); /* or the end, which leaves errno as it is, or the value it had */
  char *text = *line;
  for (size_t i = 0; i < length; i++) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(i == length - 1 || c != (char)end);
    text[i] = c;
  }
  text[length] = 0;
  return (long)length;
}

long getline(char **line, size_t *size, void *stream) { return getdelim(line, size, '\n', stream); }

/* An object that is none of the program's, with any contents. */
void *__chcverify_object(size_t size) { return malloc(size); }

/* A string of such contents. */
char *__chcverify_text(void) {
  size_t length = __VERIFIER_nondet_uint();
  char *text = __chcverify_object(length + 1);
  text[length] = 0; /* there may be another one before it */
  return text;
}

char *strerror(int number) { return __chcverify_text(); }

/* A stream is an object of the system, and no other one. */
void *fopen(const char *name, const char *mode) {
  size_t length = strlen(mode) + strlen(name);
  if (__VERIFIER_nondet_int()) return __chcverify_object(216);
  failed();
  return 0;
}

void *fdopen(int file, const char *mode) { return fopen(mode, mode); }

void *popen(const char *command, const char *mode) { return fopen(command, mode); }

void *tmpfile(void) { return fopen("", ""); }

int pclose(void *stream) { return __VERIFIER_nondet_int(); }

char *getcwd(char *to, size_t size) {
  size_t length = __VERIFIER_nondet_uint();
  if (!to && size == 0) size = length + 2;
  if (length == 0 || length >= size) {
    failed();
    return 0;
  }
  if (!to) to = malloc(size);
  for (size_t i = 0; i < length; i++) {
    to[i] = __VERIFIER_nondet_char();
    __VERIFIER_assume(to[i] != 0);
  }
  to[length] = 0;
  return to;
}

/* Without a null character. */
long readlink(const char *path, char *to, size_t size) {
  size_t length = strlen(path);
  return read(0, to, size);
}

double difftime(long later, long earlier) {
  if (later < earlier) return -(double)((unsigned long)earlier - (unsigned long)later);
  return (double)((unsigned long)later - (unsigned long)earlier);
}

int gethostname(char *to, size_t size) {
  size_t length = __VERIFIER_nondet_uint();
  if (length >= size) return (int)failed();
  for (size_t i = 0; i < length; i++) {
    to[i] = __VERIFIER_nondet_char();
    __VERIFIER_assume(to[i] != 0);
  }
  to[length] = 0;
  return 0;
}

void arc4random_buf(void *to, size_t count) {
  char *target = to;
  for (size_t i = 0; i < count; i++) target[i] = __VERIFIER_nondet_char();
}

/* A line of 25 characters; of years beyond 9999, or before 0, of more. */
char *ctime(const long *time) {
  long long fits = 67767976233000000, read = *time;
  if ((read > fits || read < -fits) && __VERIFIER_nondet_int()) {
    failed();
    return 0;
  }
  size_t length = __VERIFIER_nondet_uint();
  __VERIFIER_assume(length >= 25 && length <= 40);
  char *text = __chcverify_object(length + 1);
  for (size_t i = 0; i < length - 1; i++) {
    text[i] = __chcverify_character_of_time();
    __VERIFIER_assume(text[i] != 0);
  }
  text[length - 1] = '\n';
  text[length] = 0;
  return text;
}
