"""Control-flow graphs of programs: basic blocks, their conditions, and nothing that leads nowhere."""

from pathlib import Path

import pytest

from chcverify.display_limits import IN_A_PICTURE
from chcverify.options import SourceFile
from chcverify.results.report_data import Graph
from encoders.c.cfa.graph import control_flow
from encoders.c.frontend import load_files
from encoders.c.types.c_types import DATA_MODELS

PROGRAM = """extern void reach_error(void);
int twice(int x) {
  return x + x;
}
int main(void) {
  int i = 0, s = 0;
  while (i < 5) {
    s += twice(i);
    i++;
  }
  if (s > 20)
    reach_error();
  return 0;
}
"""


@pytest.fixture
def draw(tmp_path: Path):
    def run(text: str) -> dict[str, Graph]:
        path = tmp_path / "p.c"
        path.write_text(text)
        return {
            g.title: g for g in control_flow(load_files([SourceFile(str(path))], DATA_MODELS["LP64"], "unreach-call"))
        }

    return run


def test_blocks_and_branches(draw):
    graphs = draw(PROGRAM)
    assert set(graphs) == {"main()", "twice()"}
    main = graphs["main()"]
    nodes = {node.key: node for node in main.nodes}
    (loop,) = [node for node in main.nodes if node.kind == "loop"]
    assert loop.lines == ("7  i < 5 ?",) and loop.places == (7,)
    branches = {arrow.label: nodes[arrow.target] for arrow in main.arrows if arrow.source == loop.key}
    assert set(branches) == {"yes", "no"}
    assert [line.split("  ")[0] for line in branches["yes"].lines] == ["8", "8", "9"][-len(branches["yes"].lines) :]
    assert any(arrow.target == loop.key for arrow in main.arrows if arrow.source == branches["yes"].key)
    (error,) = [node for node in main.nodes if node.kind == "error"]
    assert error.places == (12,)
    assert not any(arrow.source == error.key for arrow in main.arrows)


def test_arrows_join_nodes_that_are_there(draw):
    for graph in draw(PROGRAM).values():
        keys = [node.key for node in graph.nodes]
        assert len(set(keys)) == len(keys)
        assert all(arrow.source in keys and arrow.target in keys for arrow in graph.arrows)
        assert {"entry", "exit"} <= {node.kind for node in graph.nodes}


def test_switches_show_each_condition(draw):
    text = "int main(void) {\n  int x;\n  switch (x) { case 1: x = 2; break; case 5: x = 3; }\n  return x;\n}\n"
    labels = {arrow.label for arrow in draw(text)["main()"].arrows} - {""}
    assert labels == {"x == 1", "x == 5", "x: no other case"}


def test_functions_that_are_too_large_are_left_out(draw):
    many = "".join(f"  if (x == {n}) x++;\n" for n in range(IN_A_PICTURE))
    assert "main()" not in draw(f"int main(void) {{\n  int x;\n{many}  return x;\n}}\n")
