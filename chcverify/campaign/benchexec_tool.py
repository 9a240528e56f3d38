"""The tool-info module for BenchExec: how to start chcverify on a task, and how to read its answer.

Use it as the tool `chcverify.campaign.benchexec_tool` of a benchmark definition (competition/*.xml), or test it with
`python -m benchexec.test_tool_info chcverify.campaign.benchexec_tool`. It needs BenchExec 3.3 or later.
"""

from typing import Any

from benchexec import result
from benchexec.tools.template import BaseTool2, ToolNotFoundException, UnsupportedFeatureException

_TRUE = ("true", "sat")
_FALSE = ("false", "unsat")
_DATA_MODELS = ("ILP32", "LP64")
_USAGE_ERROR = 2  # exit status: unusable input or options


class Tool(BaseTool2):  # type: ignore[misc]
    """The tool info of chcverify."""

    def name(self) -> str:
        return "chcverify"

    def executable(self, tool_locator: Any) -> str:
        """The script `chcverify`, from PATH, the tool directory or its bin."""
        try:
            return str(tool_locator.find_executable("chcverify"))
        except ToolNotFoundException:
            return str(tool_locator.find_executable("chcverify", subdir="bin"))

    def version(self, executable: str) -> str:
        return str(self._version_from_tool(executable, line_prefix="chcverify"))

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        """The command of one run. The limits of the run become those of chcverify, so that it ends in time itself.

        Raises UnsupportedFeatureException for a data model that chcverify does not have.
        """
        words = [executable, *options]
        if task.property_file:
            words += ["--property", str(task.property_file)]
        data_model = task.options.get("data_model") if isinstance(task.options, dict) else None
        if data_model:
            if data_model not in _DATA_MODELS:
                raise UnsupportedFeatureException(f"data model {data_model} of {task}")
            words += ["--data-model", data_model]
        seconds = rlimits.walltime or rlimits.cputime
        if seconds and "--timeout" not in options:
            words += ["--timeout", str(seconds)]
        if rlimits.cpu_cores and "--jobs" not in options:
            words += ["--jobs", str(rlimits.cpu_cores)]
        return [*words, str(task.single_input_file)]

    def determine_result(self, run: Any) -> str:
        """The verdict: the first line of the output that is one. Others name what happened."""
        for line in run.output:
            word = line.strip()
            if word in _TRUE:
                return str(result.RESULT_TRUE_PROP)
            if word in _FALSE:
                return str(result.RESULT_FALSE_PROP)
            if word.startswith("false(") and word.endswith(")"):
                return str(word)
            if word == "unknown":
                return str(result.RESULT_UNKNOWN)
        if run.was_timeout:
            return str(result.RESULT_TIMEOUT)
        if run.exit_code.value == _USAGE_ERROR:
            return f"{result.RESULT_ERROR} (unusable input)"
        return str(result.RESULT_ERROR)

    def get_value_from_output(self, output: Any, identifier: str) -> str | None:
        """The rest of the first line that contains the text, for columns of tables; None without one."""
        for line in output:
            _, found, after = line.partition(identifier)
            if found:
                return str(after).strip(" :\n")
        return None
