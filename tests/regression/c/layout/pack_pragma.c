// chcverify: --engine spacer --timeout 30
// #pragma pack with its stack; what is in force at the closing brace counts.
extern void reach_error(void);
struct before { char c; int i; };
#pragma pack(push, 2)
struct two { char c; int i; long long l; };
#pragma pack(push, outer, 1)
struct one { char c; int i : 20; int j : 20; };
#pragma pack(pop, outer)
struct again { char c; int i;
#pragma pack(pop)
};
_Pragma("pack(1)") struct operator_form { char c; int i; };
#pragma pack()
int main(void) {
  if (sizeof(struct before) == 8 && sizeof(struct two) == 14 && sizeof(struct one) == 6 && sizeof(struct again) == 8 &&
      sizeof(struct operator_form) == 5)
    reach_error();
  return 0;
}
