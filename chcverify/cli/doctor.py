"""`chcverify doctor`."""

import click

from chcverify.doctor import examine


@click.command("doctor", short_help="Report versions, missing parts and what disturbs the installation.")
def command() -> int:
    """Report versions, missing parts and what disturbs the installation; exit status 2 if something will not work."""
    findings = list(examine())
    for finding in findings:
        click.echo(f"{finding.level:8} {finding.text}")
    problems = sum(finding.level == "problem" for finding in findings)
    click.echo(f"{problems} problem{'' if problems == 1 else 's'}")
    return 2 if problems else 0
