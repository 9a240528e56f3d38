// chcverify: --timeout 60
// Volatile objects at constant addresses belong to a device.
#include <assert.h>
#include <stdint.h>
#define STATUS (*(volatile uint32_t *)0x40001000u)
typedef struct {
  volatile uint32_t mode;
  volatile uint32_t data[4];
} Port;
#define PORT ((Port *)0x40020000u)
static uint32_t own = 7;
int main(void) {
  int tries = 0;
  STATUS = 1;
  STATUS |= 4;
  PORT->mode = 3;
  PORT->data[1]++;
  while (!(STATUS & 2) && tries < 10) tries++;
  assert(tries <= 10 && own == 7);
  return 0;
}
