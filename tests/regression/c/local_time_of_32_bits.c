// chcverify: --property valid-memsafety --data-model ILP32 --timeout 60
// Each time of 32 bits has parts, so the result is not null.
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
struct tm *localtime(const long *time);
int main(void) {
  long now = 2000000000;
  return localtime(&now)->tm_sec > 60;
}
