// chcverify: --property no-overflow
int main(void) { return 0; }
