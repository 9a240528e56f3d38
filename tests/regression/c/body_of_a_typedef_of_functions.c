// chcverify: --timeout 20
typedef int F(void);
F f { return 0; }
int main(void) { return f(); }
