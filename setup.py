"""Compiles the modules of an editable installation, as pip compiles those that it copies.

Without that every run compiles hundreds of modules where Python is told to write no bytecode
(PYTHONDONTWRITEBYTECODE, as in many container images): 0.4 s of the processor.
"""

import compileall

from setuptools import setup
from setuptools.command.editable_wheel import editable_wheel

PACKAGES = ("chcverify", "encoders", "solvers")


class CompiledEditableWheel(editable_wheel):
    """An editable installation with bytecode beside the sources."""

    def run(self) -> None:
        """Builds the wheel, then compiles the packages; sources that cannot be written beside stay uncompiled."""
        super().run()
        for package in PACKAGES:
            compileall.compile_dir(package, quiet=2)


setup(cmdclass={"editable_wheel": CompiledEditableWheel})
