/* Functions that write or read records whose types the program declares: times (C11 7.27, POSIX). A record has the members
   that its function names, in any order and with others between them. */
typedef struct {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tv_sec, tv_usec, tv_nsec;
} T; /* stands for the record of the program */
typedef __typeof__(sizeof(0)) size_t;

static int up_to(int least, int greatest) {
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= least && value <= greatest);
  return value;
}

int gettimeofday(T *now, void *zone) {
  if (now) {
    now->tv_sec = __VERIFIER_nondet_long();
    now->tv_usec = up_to(0, 999999);
  }
  return 0;
}

int clock_gettime(int clock, T *now) {
  if (__VERIFIER_nondet_int()) {
    *__errno_location() = up_to(1, 133);
    return -1;
  }
  now->tv_sec = __VERIFIER_nondet_long();
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
