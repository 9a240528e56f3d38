// Unstructured code: a door that never moves while it is locked.
procedure Door()
{
  var locked, moving: bool;
  var steps: int;
start:
  locked, moving, steps := true, false, 0;
  goto loop;
loop:
  assert !(locked && moving);
  goto unlock, lock, push, stop, done;
unlock:
  locked := false;
  goto loop;
lock:
  assume !moving;
  locked := true;
  goto loop;
push:
  assume !locked;
  moving := true;
  steps := steps + 1;
  goto loop;
stop:
  moving := false;
  goto loop;
done:
  assert steps >= 0;
  return;
}
