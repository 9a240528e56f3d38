"""What the lemma bus believes."""

import socket
import time

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.lemma_bus import InductiveLemmaStore, LemmaBroker, WorkerBus
from chcverify.portfolio.messages import Lemmas, LemmaText
from chcverify.portfolio.processes import Channel, Message
from solvers.engine import Lemma

INT = z3.IntSort()
P, Q = Predicate("P", (INT,)), Predicate("Q|odd name".replace("|", " "), (INT, INT))
X, Y = z3.Ints("x y")
TRUE = z3.BoolVal(True)


def system() -> HornSystem:
    return HornSystem.of(
        [
            Clause(P(X), (), X == 0),  # x = 0 => P(x)
            Clause(Q(X, Y), (P(X),), Y == X + 1),  # P(x) & y = x + 1 => Q(x, y)
            Clause(P(Y), (Q(X, Y),), TRUE),  # Q(x, y) => P(y)
        ]
    )


def lemma(predicate: Predicate, formula: z3.BoolRef) -> Lemma:
    return Lemma(predicate, formula, "test")


P0 = P.formals[0]
Q0, Q1 = Q.formals


def test_only_inductive_lemmas_are_believed():
    believed = InductiveLemmaStore(system())
    good, bad = lemma(P, P0 >= 0), lemma(P, P0 <= 9)
    need = lemma(Q, Q1 >= 1)  # holds because of `good`, which holds because of it
    assert believed.add([bad, good, need]) == [good, need]
    assert believed[P] == [good.formula] and believed[Q] == [need.formula]


def test_a_lemma_waits_for_what_makes_it_inductive():
    believed = InductiveLemmaStore(system())
    good, need = lemma(P, P0 >= 0), lemma(Q, Q1 >= 1)
    assert believed.add([good]) == []
    assert believed.add([need]) == [good, need]


def test_implied_lemmas_are_dropped():
    believed = InductiveLemmaStore(system())
    believed.trust([lemma(P, P0 >= 0), lemma(Q, Q1 >= 1)])
    assert believed.add([lemma(P, P0 >= -5), lemma(P, P0 >= 0), lemma(Q, z3.Or(Q1 >= 1, Q0 == 7))]) == []
    assert len(believed[P]) == 1 and len(believed[Q]) == 1


def test_wrong_lemma_is_never_believed_even_with_company():
    believed = InductiveLemmaStore(system())
    assert believed.add([lemma(P, P0 != 3), lemma(Q, Q1 != 3), lemma(Q, Q0 != 2)]) == []


def test_exchange_passes_each_lemma_once():
    exchange = LemmaBroker()
    lemmas = [LemmaText("a", "text"), LemmaText("a", "other")]
    assert exchange.publish(lemmas) == lemmas
    assert exchange.publish([LemmaText("b", "text")]) == []


def test_lemmas_travel_as_text():
    here, there = socket.socketpair()
    channels = Channel(here, 5.0), Channel(there, 5.0)
    sender, receiver = WorkerBus(channels[0], system(), "sender"), WorkerBus(channels[1], system(), "receiver")
    lemmas = [lemma(P, P0 >= 0), lemma(Q, z3.And(Q1 >= 1, Q0 >= 0))]
    sender.publish(lemmas)
    time.sleep(0.05)
    (sent,) = channels[1].receive()
    assert isinstance(sent, Message) and isinstance(sent.content, Lemmas) and len(sent.content.lemmas) == 2
    noise = [LemmaText("noise", "(define-fun P ((x Int)) Bool"), LemmaText("noise", "sat")]
    channels[0].send(Lemmas([*sent.content.lemmas, *noise]))
    time.sleep(0.05)
    found = receiver.poll()
    assert [(entry.predicate, entry.origin) for entry in found] == [(P, "sender"), (Q, "sender")]
    assert Model({P: found[0].formula})[P].eq(lemmas[0].formula)
    assert receiver.poll() == []
    for channel in channels:
        channel.close()


def test_a_deaf_receiver_gets_no_more():
    here, there = socket.socketpair()
    channel = Channel(here, 0.0)
    for _ in range(100):
        LemmaBroker.deliver([LemmaText("a", "x" * 100_000)], channel)
    assert channel.backlog < 2_000_000
    channel.close()
    there.close()
