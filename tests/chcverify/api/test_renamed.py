"""What the library says of a text names the text, not the file that it was in for a while."""

import pytest

import chcverify


def test_a_syntax_error_names_the_text():
    with pytest.raises(chcverify.InputError) as caught:
        chcverify.verify("int main(void) {\n  return 0\n}\n", timeout=600)
    assert (caught.value.file, caught.value.line) == ("source.c", 3)


def test_other_files_keep_their_names():
    text = (
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
        '# 2 "other.h"\nstatic int input(void) { return __VERIFIER_nondet_int(); }\n'
        '# 5 "main.c"\nint main(void) {\n  if (input() == 7) reach_error();\n}\n'
    )
    outcome = chcverify.verify(text, timeout=600)
    assert outcome.word == "false(unreach-call)"
    assert {"other.h", "main.c"} >= {step.origin.file for step in outcome.trace} - {"source.c"}
    assert not any("chcverify-" in step.origin.file for step in outcome.trace)
