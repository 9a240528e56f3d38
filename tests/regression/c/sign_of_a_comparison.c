// chcverify: --property uninitialised --timeout 60
// How far the result of strcmp is from 0 is not specified, but it is written.
int strcmp(const char *left, const char *right);
int main(void) { return strcmp("one", "other") < 0; }
