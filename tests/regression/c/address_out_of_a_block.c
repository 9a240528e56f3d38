// chcverify: --entry "f_*" --property bounds,null,lifetime --timeout 120
// An address that a statement expression gives is that of the object that ended with it.
int f_scalar(void) { int *p = ({ int x = 4; &x; }); return *p; }
int f_array(void) { int *p = ({ int x[2] = {4, 5}; x; }); return p[1]; }
int f_store(void) { int *p; p = ({ int x = 4; &x; }); int y = 7; *p = 1; return y; }
int f_value(void) { int x = ({ int y = 4; int *q = &y; *q; }); return x; }
int f_outer(void) { int x = 1; int *p = ({ int y = 2; x += y; &x; }); return *p; }
