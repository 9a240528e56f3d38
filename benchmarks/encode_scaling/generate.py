"""Large C programs of many kinds of statements: python -m benchmarks.encode_scaling.generate LINES > program.c"""

import random
import sys

_HEAD = """extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
struct state { int mode; unsigned count; struct { short low, high; } range; };
static struct state states[8];
static int table[16];
static unsigned total;
"""


def program(lines: int, seed: int = 0) -> str:
    """About `lines` lines: functions of some twenty lines, which main calls in a loop."""
    random_ = random.Random(seed)
    text = [_HEAD]
    length, functions = _HEAD.count("\n") + 12, 0
    while length < lines:
        body = _function(random_, functions)
        text.append(body)
        length += body.count("\n") + 1  # its call in main
        functions += 1
    calls = "\n".join(f"    x = f{number}(x, &states[x & 7]);" for number in range(functions))
    text.append(f"""int main(void) {{
  int x = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) {{
{calls}
    if (total > 4000000000u && x == 12345)
      reach_error();
  }}
  return 0;
}}
""")
    return "\n".join(text)


def _function(random_: random.Random, number: int) -> str:
    statements = [random_.choice(_STATEMENTS) for _ in range(6)]
    body = "\n".join(statement.replace("K", str(random_.randrange(1, 100))) for statement in statements)
    return f"""static int f{number}(int x, struct state *s) {{
  int y = x, i;
{body}
  return y;
}}
"""


_STATEMENTS = (
    "  if (x > K)\n    y += K;\n  else\n    y -= x;",
    "  for (i = 0; i < 16; i++)\n    table[i] += K;",
    "  switch (x & 3) {\n  case 0:\n    y = K;\n    break;\n  case 1:\n    total++;\n  default:\n    y ^= K;\n  }",
    "  s->count += K;\n  s->range.low = y;",
    "  while (y > 1000)\n    y /= 2;",
    "  table[x & 15] = y * K;\n  y = table[y & 15];",
    "  if (s->mode == K && y != 0) {\n    s->mode = y > 0 ? K : -K;\n    total += (unsigned)y;\n  }",
    "  y = (short)(y + K) | (x >> 3);",
)


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
