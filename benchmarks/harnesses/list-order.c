// FreeRTOS: three items that are inserted into a list are in order.
#include "harness.h"
#include "FreeRTOS-Kernel/list.c"

int main(void) {
  List_t list;
  ListItem_t items[3];
  vListInitialise(&list);
  for (int i = 0; i < 3; i++) {
    vListInitialiseItem(&items[i]);
    items[i].xItemValue = __VERIFIER_nondet_uchar();
    vListInsert(&list, &items[i]);
  }
  CHECK(list.uxNumberOfItems == 3);
  ListItem_t *first = list.xListEnd.pxNext;
  CHECK(first->xItemValue <= first->pxNext->xItemValue);
  CHECK(first->pxNext->xItemValue <= first->pxNext->pxNext->xItemValue);
  return 0;
}
