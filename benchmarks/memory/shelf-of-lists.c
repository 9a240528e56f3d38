// Safe: Each of three shelves has a list of its own, with as many books as its number says. All books of a shelf are
// released before the shelf is.
#include <stdlib.h>
struct book { struct book *next; int pages; };
struct shelf { struct shelf *next; struct book *books; };

static struct shelf *new_shelf(struct shelf *next, int count) {
  struct shelf *shelf = malloc(sizeof *shelf);
  shelf->books = 0;
  shelf->next = next;
  for (int i = 0; i < count; i++) {
    struct book *book = malloc(sizeof *book);
    book->pages = 100 + i;
    book->next = shelf->books;
    shelf->books = book;
  }
  return shelf;
}

int main(void) {
  struct shelf *shelves = 0;
  for (int number = 0; number < 3; number++)
    shelves = new_shelf(shelves, number);
  while (shelves) {
    struct shelf *shelf = shelves;
    shelves = shelf->next;
    while (shelf->books) {
      struct book *book = shelf->books;
      shelf->books = book->next;
      free(book);
    }
    free(shelf);
  }
  return 0;
}
