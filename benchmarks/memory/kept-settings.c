// Safe: The settings that the device keeps a pointer to are static: they live as long as the program.
struct settings { int speed; int parity; };
static const struct settings *active;

static void configure(int speed) {
  static struct settings settings;
  settings.speed = speed;
  settings.parity = 0;
  active = &settings;
}

static int baud(void) { return active->speed * 100; }

int main(void) {
  configure(96);
  return baud() == 9600;
}
