#!/bin/sh
# Decides one safe and one unsafe program and one system of Horn clauses: exit status 0 if all three answers are right.
# Run from any directory of an unpacked archive or a source checkout; PYTHON names another interpreter.
set -eu
root=$(cd "$(dirname "$0")" && pwd)
[ -d "$root/bin" ] || root=$(dirname "$root")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() {
    if [ -x "$root/bin/chcverify" ]; then "$root/bin/chcverify" "$@"; else
        PYTHONPATH="$root${PYTHONPATH:+:$PYTHONPATH}" "${PYTHON:-python3}" -m chcverify "$@"; fi
}

expect() {
    wanted=$1
    shift
    answer=$(run "$@" --timeout 60 2>"$folder/errors" | head -n 1) || true
    if [ "$answer" = "$wanted" ]; then echo "ok: $wanted"; else
        echo "expected $wanted, got '$answer'" >&2
        cat "$folder/errors" >&2
        exit 1
    fi
}

cat >"$folder/safe.c" <<'END'
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned int i = 0, n = __VERIFIER_nondet_uint();
    while (i < n) i++;
    if (i != n) reach_error();
    return 0;
}
END
sed 's/i != n/i == 5/' "$folder/safe.c" >"$folder/unsafe.c"
cat >"$folder/system.smt2" <<'END'
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 7)) false)))
(check-sat)
END

expect true "$folder/safe.c"
expect "false(unreach-call)" "$folder/unsafe.c"
expect sat "$folder/system.smt2"
