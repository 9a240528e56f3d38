/* Functions that write or read records whose types the program declares: times (C11 7.27, POSIX), signals (POSIX),
   the locale (C11 7.11). A
   record has the members that its function names, in any order and with others between them. */
typedef void handler_t(int);
handler_t *signal(int number, handler_t *handler);
handler_t *__chcverify_handler(int number);
void __chcverify_reset_handler(int number, int resets, int masks);
void __chcverify_handler_with_information(void);
typedef struct {
  struct {
    handler_t *sa_handler;
  } __sigaction_handler;
  int sa_flags;
  struct {
    unsigned long __val[1]; /* as many as the program's type has */
  } sa_mask;
  unsigned long __val[1];
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
  char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
  char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space, p_sign_posn;
  char n_sign_posn, int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space, int_p_sign_posn;
  char int_n_sign_posn;
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tv_sec, tv_usec, tv_nsec;
} T; /* stands for the record of the program */
typedef __typeof__(sizeof(0)) size_t;

static int up_to(int least, int greatest) {
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= least && value <= greatest);
  return value;
}

/* Linux counts nanoseconds in 64 bits, and sets no clock to a time before 1970. */
static long seconds(void) {
  long value = __VERIFIER_nondet_long();
  __VERIFIER_assume(value >= 0 && value <= 9223372036);
  return value;
}

int gettimeofday(T *now, void *zone) {
  if (now) {
    now->tv_sec = seconds();
    now->tv_usec = up_to(0, 999999);
  }
  return 0;
}

int clock_gettime(int clock, T *now) {
  if (__VERIFIER_nondet_int()) {
    *__errno_location() = up_to(1, 133);
    return -1;
  }
  now->tv_sec = seconds();
  now->tv_nsec = up_to(0, 999999999);
  return 0;
}

/* What the time says, and the zone. */
static int part(int least, int greatest) {
  int value = __chcverify_part_of_time();
  __VERIFIER_assume(value >= least && value <= greatest);
  return value;
}

static void take_apart(T *parts) {
  parts->tm_sec = part(0, 60);
  parts->tm_min = part(0, 59);
  parts->tm_hour = part(0, 23);
  parts->tm_mday = part(1, 31);
  parts->tm_mon = part(0, 11);
  parts->tm_year = __chcverify_part_of_time();
  parts->tm_wday = part(0, 6);
  parts->tm_yday = part(0, 365);
  parts->tm_isdst = __chcverify_part_of_time();
}

/* Null only for times whose years do not fit. */
T *localtime_r(const long *time, T *parts) {
  long long fits = 67767976233000000, read = *time;
  if ((read > fits || read < -fits) && __VERIFIER_nondet_int()) {
    *__errno_location() = 75; /* EOVERFLOW */
    return 0;
  }
  take_apart(parts);
  return parts;
}

T *gmtime_r(const long *time, T *parts) { return localtime_r(time, parts); }

/* Both may give the same object (C11 7.27.3p1); so does glibc. */
T *localtime(const long *time) {
  static T parts;
  return localtime_r(time, &parts);
}

T *gmtime(const long *time) { return localtime(time); }

long mktime(T *parts) {
  int read = parts->tm_sec ^ parts->tm_min ^ parts->tm_hour ^ parts->tm_mday ^ parts->tm_mon ^ parts->tm_year;
  read ^= parts->tm_isdst;
  long time = __chcverify_time_of_parts();
  if (time == -1 && __VERIFIER_nondet_int()) return -1; /* it fails, or so it is */
  take_apart(parts);
  return time;
}

/* What is not needed for the format need not have been written: a copy reads nothing. */
size_t strftime(char *to, size_t size, const char *format, const T *time) {
  size_t read = strlen(format), length = __VERIFIER_nondet_ulong();
  T parts = *time;
  __VERIFIER_assume(length == 0 || length < size);
  size_t written = length > 0 ? length : size; /* if it does not fit, or has no characters, the contents are any */
  for (size_t i = 0; i < written; i++) to[i] = __chcverify_character_of_time();
  if (length > 0) to[length] = 0;
  return length;
}

char *asctime(const T *time) {
  int read = time->tm_sec ^ time->tm_min ^ time->tm_hour ^ time->tm_mday ^ time->tm_mon ^ time->tm_year ^ time->tm_wday;
  long moment = read;
  return ctime(&moment);
}

/* What the mask and SA_RESTORER are afterwards is the system's own. */
int sigaction(int number, const T *new, T *old) {
  static int flags[65];
  handler_t *handler;
  if (number < 1 || number > 64 || ((number == 9 || number == 19) && new)) { /* SIGKILL, SIGSTOP */
    *__errno_location() = 22; /* EINVAL */
    return -1;
  }
  int given = 0, is_masked = 0;
  if (new) {
    given = new->sa_flags;
    handler = new->__sigaction_handler.sa_handler;
    if (given & 4) __chcverify_handler_with_information(); /* SA_SIGINFO */
    for (int i = 0; i < 64 / (8 * (int)sizeof(long)); i++) is_masked |= new->sa_mask.__val[i] != 0;
  }
  if (old) {
    old->__sigaction_handler.sa_handler = __chcverify_handler(number);
    old->sa_flags = flags[number] | (__chcverify_flags_of_signal() & 0x04000000); /* SA_RESTORER */
    for (int i = 0; i < (int)(sizeof(old->sa_mask) / sizeof(long)); i++) {
      old->sa_mask.__val[i] = __chcverify_flags_of_signal();
    }
  }
  if (new) {
    signal(number, handler);
    __chcverify_reset_handler(number, given < 0, is_masked); /* SA_RESETHAND is the highest bit */
    flags[number] = given;
  }
  return 0;
}

/* A set of signals has a bit for each, from the lowest one of its first word on, as on Linux. */
int sigemptyset(T *set) {
  for (int i = 0; i < (int)(sizeof(T) / sizeof(long)); i++) set->__val[i] = 0;
  return 0;
}

/* But for the library's own, 32 and 33. */
int sigfillset(T *set) {
  for (int i = 0; i < (int)(sizeof(T) / sizeof(long)); i++) {
    set->__val[i] = ~0ul;
    if (sizeof(long) == 8 && i == 0) set->__val[i] = 0xfffffffe7ffffffful;
    if (sizeof(long) == 4 && i < 2) set->__val[i] = i ? 0xfffffffe : 0x7fffffff;
  }
  return 0;
}

static int is_no_signal(int number) {
  if (number > 0 && number < 65 && number != 32 && number != 33) return 0;
  *__errno_location() = 22;
  return 1;
}

int sigaddset(T *set, int number) {
  int bits = 8 * sizeof(long);
  if (is_no_signal(number)) return -1;
  set->__val[(number - 1) / bits] |= 1ul << (number - 1) % bits;
  return 0;
}

int sigdelset(T *set, int number) {
  int bits = 8 * sizeof(long);
  if (is_no_signal(number)) return -1;
  set->__val[(number - 1) / bits] &= ~(1ul << (number - 1) % bits);
  return 0;
}

int sigismember(const T *set, int number) {
  int bits = 8 * sizeof(long);
  if (is_no_signal(number)) return -1;
  return set->__val[(number - 1) / bits] >> (number - 1) % bits & 1;
}

/* The locale is "C": numbers have a point, and nothing else is known (C11 7.11.2.1p8). */
T *localeconv(void) {
  static char point[] = ".", none[] = "";
  static T found;
  found.decimal_point = point;
  found.thousands_sep = found.grouping = found.int_curr_symbol = found.currency_symbol = none;
  found.mon_decimal_point = found.mon_thousands_sep = found.mon_grouping = none;
  found.positive_sign = found.negative_sign = none;
  found.int_frac_digits = found.frac_digits = found.p_cs_precedes = found.p_sep_by_space = (char)127;
  found.n_cs_precedes = found.n_sep_by_space = found.p_sign_posn = found.n_sign_posn = (char)127;
  found.int_p_cs_precedes = found.int_p_sep_by_space = found.int_n_cs_precedes = (char)127;
  found.int_n_sep_by_space = found.int_p_sign_posn = found.int_n_sign_posn = (char)127;
  return &found;
}
