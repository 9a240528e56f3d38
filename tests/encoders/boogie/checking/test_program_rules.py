"""Programs that break a rule of Boogie, each with the position where it does, and programs that come close to it."""

from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.options import BoogieOptions, InputOptions
from chcverify.problems.boogie_problem import load_boogie_program
from chcverify.task import resolve

BROKEN = r"""
var if: int;
    1:5: 'if' does not fit here
type bv8;
    1:6: the type bv8 is built in
type int;
    1:6: the type int is built in
type C a a;
    1:6: more than one type parameter a
type {:x y} T;
    1:10: undeclared identifier: y
var m: <a>[int]int;
    1:1: the type parameter a does not occur in the map type
const c: int where c > 0;
    1:14: 'where' does not fit here
var {:assumption} a: int;
    1:1: the assumption variable a is of type bool, without where
var g: int where h;
    1:18: undeclared identifier: h
var g: int where g;
    1:18: this has type int, not bool
const {:x 1 + true} c: int;
    1:15: this has type bool, and is no number
function f(x: int, x: int): int;
    1:1: more than one parameter x
function f<a, a>(x: a): int;
    1:1: more than one type parameter a
function f(): int { true }
    1:21: this has type bool, not int
function f<a>(x: int): a { x }
    1:28: this has type int, not a
var g: int; function f(): int { g }
    1:33: the global variable g cannot be named here
var g: int; axiom g > 0;
    1:19: the global variable g cannot be named here
axiom old(true);
    1:7: old stands only in bodies of procedures and in what they ensure
function f(): int; procedure f();
    1:1: more than one function or procedure f
function {:inline} f(x: int): int { f(x) }
    1:1: the inlined function f calls itself
function {:inline} f(): int { g() } function {:inline} g(): int { f() }
    1:1: the inlined function f calls itself
axiom (forall x: int, x: bool :: true);
    1:7: more than one bound variable x
axiom "true" == "true";
    1:7: a string is no value
axiom 256bv8 == 0bv8;
    1:7: 256 does not fit into 8 bits
axiom 3bv8[9:1] == 0bv8;
    1:7: no bits [9:1] of a value of type bv8
axiom 3bv8[1:2] == 0bv8;
    1:7: no bits [1:2] of a value of type bv8
axiom 1.0 < 2;
    1:7: < has operands of the types real and int
axiom 1.0 div 2.0 == 1.0;
    1:7: div has operands of the type real
type T; axiom (forall x: T :: x < x);
    1:31: this has type T, and is no number
axiom (if 1 then true else false);
    1:11: this has type int, not bool
axiom (if true then 1 else false) == 1;
    1:28: this has type bool, not int
axiom (lambda x: int :: x) == (lambda x: int :: true);
    1:7: values of the types [int]int and [int]bool are compared
axiom (lambda<a> x: int :: x)[1] == 1;
    1:7: the type parameter a does not occur in the types of the bound variables
function f<a>(a, a): bool; axiom f(1, true);
    1:39: this has type bool, not int
function f(int): bool; axiom f(1, 2);
    1:30: f takes 1 arguments, not 2
function f(int): int; axiom (forall x: int :: {f(x) == 1} true);
    1:48: an equality stands in a trigger
function f(int): int; axiom (forall x: int :: {f(x) < 1} true);
    1:48: a comparison stands in a trigger
function f(int): bool; axiom (forall x: int :: {!f(x)} true);
    1:49: a connective stands in a trigger
axiom (forall x: bool :: {(forall y: int :: x)} true);
    1:27: a quantifier stands in a trigger
axiom (forall x: int :: {x} true);
    1:26: a variable by itself is no trigger: x
function f(int): int; axiom (forall x, y: int :: {f(x)} true);
    1:51: this trigger does not mention the bound variable y
axiom (forall x: int :: {:nopats x} true);
    1:34: a variable by itself is no trigger: x
procedure P<a>(x: int);
    1:1: the type parameter a does not occur in parameters or results
var g: int; pure procedure P(); modifies g;
    1:13: the pure procedure P modifies something
var g: int; pure procedure P() { assert g == 0; }
    1:41: the global variable g cannot be named here
procedure Q(); pure procedure P() { call Q(); }
    1:37: P is pure and calls Q, which is not
procedure P(x: int where y > 0) returns (y: int);
    1:26: undeclared identifier: y
procedure P() returns (y: int where old(y) > 0);
    1:37: old stands only in bodies of procedures and in what they ensure
var g: int; procedure P(); requires old(g) == g;
    1:37: old stands only in bodies of procedures and in what they ensure
procedure P() returns (y: int); requires y > 0;
    1:42: undeclared identifier: y
procedure P(x: int); implementation P(x: int where x > 0) { }
    1:39: where stands in the implementation of a procedure
procedure P(); implementation {:x y} P() { }
    1:35: undeclared identifier: y
procedure {:inline 1} P() { assert 1; }
    1:36: this has type int, not bool
procedure P(x: int) { x := 1; }
    1:23: the parameter x is changed
const c: int; procedure P() { c := 1; }
    1:31: the constant c is changed
const c: int; procedure P() { havoc c; }
    1:31: the constant c is changed
procedure P() { var x: int; x := true; }
    1:34: this has type bool, not int
procedure P() { var x: int; x[1] := 2; }
    1:29: this has type int, and is no map
procedure P() { var m: [int]bool; m[1] := 2; }
    1:43: this has type int, not bool
procedure P() { var m: [int]bool; m[1, 2] := true; }
    1:35: 2 indices for a map with 1
procedure P() { var x: int; x, x := 1, 2; }
    1:29: a variable is assigned twice
procedure P() { var x: int; x := 1, 2; }
    1:29: 2 values for 1 variables
procedure P() { while (1) { } }
    1:24: this has type int, not bool
procedure P() { while (*) invariant 1; { } }
    1:37: this has type int, not bool
procedure P() { A: A: return; }
    1:20: more than one declaration of the label A
procedure P() { break; }
    1:17: break stands in no loop
procedure P() { assert {:verified_under 1, 2} true; }
    1:17: the attribute verified_under has one condition
procedure P() { assert {:verified_under 1} true; }
    1:41: this has type int, not bool
procedure P() { assert {:id "a"} true; assume {:id "a"} true; }
    1:40: more than one statement with the id a
procedure P() { var {:assumption} a: bool; a := true; }
    1:44: the assumption variable a is not assigned a && something
procedure P() { var {:assumption} a: bool; a := a && true; a := a && true; }
    1:60: the assumption variable a is assigned more than once
procedure Q(x: int); procedure P() { call Q(true); }
    1:45: this has type bool, not int
procedure Q() returns (x: int); procedure P() { var b: bool; call b := Q(); }
    1:62: the result x of Q is no bool
procedure Q() returns (x, y: int); procedure P() { var b: int; call b, b := Q(); }
    1:64: more than one result is assigned to b
procedure P(x: int) returns (y: int) { call y := P(true); }
    1:52: this has type bool, not int
procedure P() { assert |{ var x: int; return x; }|; }
    1:46: this has type int, not bool
"""
"""Each program, and the message for it."""

FINE = [
    "type C _ _; const {:a d} c: int; const {:b c + 1} d: int; var {:c g} g: int where g == c;",
    "function f<a, b>(a, b): bool; axiom f(1, true) && f(2bv3, 1.5);",
    "function none<a>(): a; axiom none() == 1; axiom none()[1] && none() ++ 1bv3 == 2bv9;",
    "function f(x: int): int { if x > 0 then f(x - 1) else 0 }",
    "function f(int): int; axiom (forall x: int :: {f(x), x + 1} {f(x) != 1} {:nopats f(2)} f(x) == 1);",
    "type F a; var h: <a>[int, F a]a; procedure P() modifies h;"
    " ensures (forall<a> o: int, f: F a :: h[o, f] == old(h)[o, f]); { }",
    "type F a; const c: F int; axiom (forall<a> f: F a :: f == c ==> true);",
    "type S = [int]int; var m: S; procedure P() modifies m; { m := (lambda i: int :: i); m[1] := m[2 := 3][4]; }",
    "type G = <a>[a]int; type H = <b>[b]int; procedure P(x: G, y: H) { assert x == y; }",
    "var x: int; procedure P(y: int) returns (x: bool where x) { var y': int where y' == y; x := old(x); }",
    "procedure P(x: int); procedure Q() { var x: bool; x := true; call P(if x then 1 else 2); free call P(3); }",
    "procedure {:a x + 1} P(x: int) { assert {:msg \"text\"} {:a x} x == x; assume {:b \"s\", 1, true} true; }",
    "procedure P<a>(x: a) returns (y: a); procedure Q() returns (z: int) { call z := P(1); }",
    "procedure P(b: bool) { var {:assumption} a: bool; while (*) { a := a && b; } havoc a; }",
    "pure procedure Q(); pure procedure P(x: int) returns (y: int) { y := x; call Q(); }",
    "procedure P() { assert 5bv8[8:0] == 5bv8 && (3bv4 ++ 1bv2)[6:2] == 3bv4; assert int(1.5) == 1 && real(2) < 2.5; }",
    "procedure P() { assert (var x, y := 1, true; y && x == 1); assert (exists x: int :: x > 0) <== true; }",
    "procedure P() { assert {:id 1} true; assert {:id 1} true; }",
    "procedure P() ensures |{ var b: bool; A: b := true; return b; }|; { }",
]  # fmt: skip


def broken() -> list[tuple[str, str]]:
    lines = BROKEN.strip().splitlines()
    return [(program, message.strip()) for program, message in zip(lines[::2], lines[1::2], strict=True)]


def load(path: Path, text: str) -> None:
    path.write_text(text)
    load_boogie_program(resolve(InputOptions(str(path), boogie=BoogieOptions())))


@pytest.mark.parametrize(("text", "message"), broken())
def test_a_broken_rule_is_reported_with_its_position(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path / "p.bpl", text)
    assert str(caught.value) == f"{tmp_path / 'p.bpl'}:{message}"


@pytest.mark.parametrize("text", FINE)
def test_what_is_boogie_is_accepted(tmp_path: Path, text: str) -> None:
    load(tmp_path / "p.bpl", text)
