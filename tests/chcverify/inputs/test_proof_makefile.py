"""Makefiles of proofs for CBMC: variables, conditionals and included files; programs that their files make."""

import subprocess
import sys
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.inputs.proof_makefile import read_proof

COMMON = """# of all proofs
include ../Makefile-defines
MAKEFILE_PATHS = $(foreach makefile,$(MAKEFILE_LIST),$(abspath $(makefile)))
PROOF_ROOT = $(dir $(filter %/Makefile.common,$(MAKEFILE_PATHS)))
CBMC_ROOT = $(shell dirname $(PROOF_ROOT))
PROOF_STUB = $(CBMC_ROOT)/stubs
DEFINES += -DCBMC=1
ifdef NOT_DEFINED
DEFINES += -DWRONG
else ifeq ($(strip $(LIMIT)),5)
DEFINES += -DFIVE
else
DEFINES += -DWRONG
endif
ifneq ($(LIMIT),5)
ifeq (a,a)
DEFINES += -DWRONG
endif
endif
%.goto: %.c
\t$(CC) DEFINES += -DWRONG
"""
DEFINES = """INCLUDES += -I$(SRCDIR)/include
SRCDIR ?= $(abspath $(PROOF_ROOT)/../..)
LIMIT ?= 7
DEFINES += -DLIMIT=$(LIMIT) '-DTEXT=a b'
"""
MAKEFILE = """LIMIT = 5 # a comment
HARNESS_ENTRY = add_harness
HARNESS_FILE = $(PROOFDIR)/$(HARNESS_ENTRY).c
UNWINDSET += add.0:$(shell echo $$(($(LIMIT) + 1)))
PROOF_SOURCES += $(HARNESS_FILE) \\
  $(PROOF_STUB)/helper.c
PROJECT_SOURCES += $(SRCDIR)/source/add.c
REMOVE_FUNCTION_BODY += __CPROVER_file_local_add_c_helper
include ../Makefile.common
"""
FILES = {
    "cbmc/proofs/Makefile.common": COMMON,
    "cbmc/proofs/Makefile-defines": DEFINES,
    "cbmc/proofs/add/Makefile": MAKEFILE,
    "cbmc/proofs/add/add_harness.c": (
        '#include <assert.h>\n#include "add.h"\nextern int nondet_int(void);\n'
        "void add_harness(void) { int a = nondet_int(); __CPROVER_assume(a >= 0 && a < LIMIT); assert(add(a) < 7); }\n"
    ),
    "cbmc/stubs/helper.c": "int __CPROVER_file_local_add_c_helper(int a) { return a + 2; }\n",
    "include/add.h": "int add(int a);\n",
    "source/add.c": (
        '#include "add.h"\nstatic int helper(int a) { return a + 9; }\nint add(int a) { return helper(a); }\n'
    ),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_proof_has_files_flags_and_an_entry(project: Path) -> None:
    proof = read_proof(str(project / "cbmc/proofs/add"))
    assert proof.entry == "add_harness"
    names = ["cbmc/proofs/add/add_harness.c", "cbmc/stubs/helper.c", "source/add.c"]
    assert [source.path for source in proof.sources] == [str(project.resolve() / name) for name in names]
    flags = ("-DLIMIT=5", "-DTEXT=a b", "-DCBMC=1", "-DFIVE")
    assert proof.sources[0].flags == (f"-I{project.resolve() / 'include'}", *flags)
    assert [source.removed for source in proof.sources] == [(), (), ("__CPROVER_file_local_add_c_helper",)]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("Makefile", ("HARNESS_ENTRY = add_harness", ""), "does not define HARNESS_ENTRY"),
        ("Makefile", ("add.c", "other.c"), "which does not exist"),
        ("Makefile", ("include ../Makefile.common", "include ../Makefile.none"), "cannot be read"),
        ("Makefile", ("include ../Makefile.common", "include Makefile"), "includes itself"),
        ("Makefile", ("LIMIT = 5", "DEFINES += 'open"), "DEFINES of its Makefile"),
    ],
)
def test_what_is_no_proof(name: str, change: tuple[str, str], message: str, project: Path) -> None:
    path = project / "cbmc/proofs/add" / name
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(InputError, match=message):
        read_proof(str(project / "cbmc/proofs/add"))


def test_a_stub_replaces_a_static_function(project: Path) -> None:
    command = [sys.executable, "-m", "chcverify", "--cbmc-proof", "cbmc/proofs/add"]
    ended = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=600)
    assert (ended.stdout, ended.returncode) == ("true\n", 0), ended.stderr
    makefile = project / "cbmc/proofs/add/Makefile"
    makefile.write_text(makefile.read_text().replace("REMOVE_FUNCTION_BODY", "OTHER"))
    stub = project / "cbmc/stubs/helper.c"
    stub.write_text("int unused;\n")
    harness = project / "cbmc/proofs/add/add_harness.c"
    harness.write_text(harness.read_text().replace("add(a)", "__CPROVER_file_local_add_c_helper(a)"))
    ended = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=600)
    assert (ended.stdout, ended.returncode) == ("false(unreach-call)\n", 1), ended.stderr
    ended = subprocess.run([*command, "a.c"], cwd=project, capture_output=True, text=True, check=False, timeout=600)
    assert ended.returncode == 2 and "names files and entry itself" in ended.stderr
