// Unsafe (valid-deref): The settings are a local variable: the device reads them after the function has
// returned.
struct settings { int speed; int parity; };
static const struct settings *active;

static void configure(int speed) {
  struct settings settings;
  settings.speed = speed;
  settings.parity = 0;
  active = &settings;
}

static int baud(void) { return active->speed * 100; }

int main(void) {
  configure(96);
  return baud() == 9600;
}
