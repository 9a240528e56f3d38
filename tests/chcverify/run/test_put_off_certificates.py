"""A violation that is found while another check is put off has a certificate that `check` accepts."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char m = __VERIFIER_nondet_uchar();
  int s = 0, k = m + 5, t[3] = {0};
  if (m == 1u) return t[k];
  if (m == 2u) return t[k];
  if (m == 3u) return t[k];
  for (int i = 0; i < 1500; i++) s += i & 1;
  return t[s - 740];
}
"""


def test_certificates_beside_a_check_that_is_put_off(tmp_path: Path) -> None:
    source, folder = tmp_path / "a.c", tmp_path / "certificates"
    source.write_text(PROGRAM)
    folder.mkdir()
    command = [sys.executable, "-m", "chcverify"]
    asked = [str(source), "--property", "bounds", "--all-checks", "--certificates", str(folder), "--timeout", "600"]
    subprocess.run([*command, *asked], capture_output=True, check=False)
    files = sorted(folder.iterdir())
    assert len(files) >= 4
    for file in files:
        asked = ["check", str(file), str(source), "--property", "bounds"]
        ended = subprocess.run([*command, *asked], capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr
