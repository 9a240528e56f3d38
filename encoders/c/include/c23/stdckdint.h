/* Checked arithmetic of C23. */
#ifndef CHC_STDCKDINT_H
#define CHC_STDCKDINT_H
#define __STDC_VERSION_STDCKDINT_H__ 202311L
#define ckd_add(result, left, right) ((_Bool)__builtin_add_overflow(left, right, result))
#define ckd_sub(result, left, right) ((_Bool)__builtin_sub_overflow(left, right, result))
#define ckd_mul(result, left, right) ((_Bool)__builtin_mul_overflow(left, right, result))
#endif
