"""What is no cycle in a derivation's file is refused with a reason, and nothing else happens."""

import copy
import json

import pytest
from cycle_systems import CHOICES

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.files.certificate_text import derivation_from_text, derivation_to_text
from chcverify.certificate.kernel.certificate_obligations import derivation_obligations
from chcverify.certificate.kernel.obligation import MalformedCertificate
from chcverify.errors import InputError

SYSTEM = CHOICES.system
GOOD = json.loads(derivation_to_text(SYSTEM, CHOICES.derivation))
LINK = GOOD["steps"][1]["links"][0]


def changed(*path, value):
    data = copy.deepcopy(GOOD)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(data)


def cycle(key, value):
    return changed("steps", 1, key, value=value)


def link(key, value):
    return changed("steps", 1, "links", 0, key, value=value)


BAD = [
    (cycle("cycle", 3), '"cycle" must name'),
    (cycle("cycle", "and"), '"cycle" must name'),
    (cycle("cycle", "n) (assert"), '"cycle" must name'),
    (cycle("cycle", "n!7"), "unusable value"),  # the terms are over another name
    (cycle("count", "5"), "count and start"),
    (cycle("count", -5), "count and start"),
    (cycle("count", True), "count and start"),
    (cycle("count", 2.0), "count and start"),
    (cycle("start", None), "count and start"),
    (cycle("links", {}), "list of links"),
    (cycle("links", [3]), "step 1, link 0"),
    (cycle("links", [None]), "step 1, link 0"),
    (link("clause", 99), "no clause 99"),
    (link("clause", 2), "does not derive"),
    (link("predicate", "Q"), "does not derive Q"),
    (link("arguments", ["n"]), "2 arguments"),
    (link("arguments", ["n", "m"]), "unusable value"),
    (link("arguments", ["n", 99]), "no value 99"),
    (link("arguments", ["n", None]), "a value must be"),
    (link("arguments", ["n", "(lambda ((k Int)) k)"]), "unusable value"),
    (link("arguments", ["n", "(to_int 0.5)"]), "an integer is expected"),
    (link("premises", ["0"]), "premises, indices"),
    (link("premises", None), "premises, indices"),
    (link("values", None), '"values" must list'),
    (link("values", [["z", "n"]]), '"values" must list'),
    (link("values", [["q", "Int", "n"]]), "no variable q"),
    (link("values", [["z", "Real", "n"]]), "no variable z"),
    (link("values", [[["z"], "Int", "n"]]), "no variable"),
    (link("values", [["z", "Int", "true"]]), "unusable value"),
    (changed("steps", 2, "premises", value=[None]), "step 2 must have"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_cycles(text, message):
    with pytest.raises(InputError) as caught:
        derivation_from_text(SYSTEM, text, "file")
    assert message in caught.value.message
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["count", "start", "links"])
def test_what_is_missing(key):
    data = copy.deepcopy(GOOD)
    del data["steps"][1][key]
    _is_refused(json.dumps(data))


@pytest.mark.parametrize(
    "text",
    [
        cycle("count", 0),
        cycle("start", 9),
        cycle("links", []),
        link("premises", [None, None]),
        link("premises", [0]),
        link("values", []),
        link("values", LINK["values"][:1] * 2),
        link("arguments", ["(* n n)", "0"]),
        link("arguments", ["(div n 0)", "0"]),
        changed("steps", 2, "arguments", value=["n", "0"]),  # another step's terms are closed
    ],
)
def test_what_can_be_read_but_is_no_derivation(text):
    _is_refused(text)


def _is_refused(text):
    try:
        derivation = derivation_from_text(SYSTEM, text)
    except InputError:
        return
    assert isinstance(derivation, Derivation)
    with pytest.raises(MalformedCertificate):
        derivation_obligations(SYSTEM, derivation, float("inf"))
