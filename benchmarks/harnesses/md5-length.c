// crypto-algorithms: MD5 keeps the bytes of a short message until it is finished.
#include "harness.h"
#include "crypto-algorithms/md5.c"

int main(void) {
  MD5_CTX context;
  BYTE message[6];
  FILL(message, 6);
  md5_init(&context);
  md5_update(&context, message, 2);
  md5_update(&context, message + 2, 4);
  CHECK(context.datalen == 6 && context.bitlen == 0);
  for (int i = 0; i < 6; i++)
    CHECK(context.data[i] == message[i]);
  return 0;
}
