// chcverify:
int first;
missing_t *second;
int main(void) { return 0; }
