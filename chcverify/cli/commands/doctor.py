"""`chcverify doctor`."""

import click

from chcverify.cli.installation import examine
from chcverify.cli.terminal import print_output


@click.command("doctor", short_help="Report versions, missing parts and what disturbs the installation.")
def command() -> int:
    """Report versions, missing parts and what disturbs the installation; exit status 2 if something will not work."""
    findings = list(examine())
    problems = sum(finding.level == "problem" for finding in findings)
    lines = [f"{finding.level:8} {finding.text}" for finding in findings]
    print_output("\n".join([*lines, f"{problems} problem{'' if problems == 1 else 's'}"]))
    return 2 if problems else 0
