/* An image: the product of width, height and bytes of a pixel overflows, so the block is too small. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct image { unsigned width, height; unsigned char *pixels; };

static int create(struct image *image, unsigned width, unsigned height) {
#ifdef FIXED
  if (width == 0 || height == 0 || width > 0xffffffffu / 4 / height) return -1;
#else
  if (width == 0 || height == 0) return -1;
#endif
  unsigned size = width * height * 4;
  image->pixels = malloc(size);
  if (!image->pixels) return -1;
  image->width = width;
  image->height = height;
  return 0;
}

int main(void) {
  struct image image;
  unsigned width = __VERIFIER_nondet_uint();
  if (create(&image, width, 16)) return 0;
  for (unsigned x = 0; x < image.width; x++) image.pixels[4 * (size_t)x] = 255;
  free(image.pixels);
  return 0;
}
