"""What calls of the library do to the streams that they are given."""

from encoders.c.cfa.ir import Constant, EndStream, Load
from encoders.c.lowering.calls.stream_calls import StreamCalls
from encoders.c.lowering.context import LoweringContext


def ended(context: LoweringContext, peers, call) -> list[object]:
    """The pointers to the streams that a call of fclose ends."""
    streams = StreamCalls(context, peers.side_effects, peers.expressions)
    streams.before_call(call, call.name.name, list(call.args.exprs))
    return [edge.operation.pointer for edge in context.cfa.edges if isinstance(edge.operation, EndStream)]


def test_the_stream_that_is_closed_ends(context: LoweringContext, peers, expression) -> None:
    (pointer,) = ended(context, peers, expression("fclose(p)"))
    assert isinstance(pointer, Load)


def test_some_stream_ends_where_the_argument_has_effects(context: LoweringContext, peers, expression) -> None:
    (pointer,) = ended(context, peers, expression("fclose(p++)"))
    assert isinstance(pointer, Constant)


def test_other_calls_end_no_stream(context: LoweringContext, peers, expression) -> None:
    assert ended(context, peers, expression("fflush(p)")) == []
