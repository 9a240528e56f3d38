// chcverify: --entry "f_*" --property bounds,null,lifetime --timeout 120
// What a function without a body is given is read, and so is a record that nobody uses.
struct s { int x; int a[3]; };
struct s *unset;
int *nowhere, here;
double *numbers;
extern void number(int);
extern int record(struct s);
extern int several(int *, double);
extern int any(int, ...);
void f_scalar(void) { number(*nowhere); }
void f_member(void) { number(unset->a[2] + 1); }
void f_record(void) { record(*unset); }
int f_second(void) { return several(nowhere, *numbers); }
int f_variadic(void) { return any(1, *nowhere); }
void f_statement(void) { *unset; }
int f_comma(void) { return (*unset, 1); }
int f_address(void) { return several(nowhere, 1.0); }
void f_valid(struct s given) { number(*&here + given.a[1]); record(given); given; }
