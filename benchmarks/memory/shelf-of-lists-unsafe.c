// Unsafe (valid-memtrack): The last book of a shelf stays when the shelf is released: nothing leads to it any more.
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
    while (shelf->books && shelf->books->next) {
      struct book *book = shelf->books;
      shelf->books = book->next;
      free(book);
    }
    free(shelf);
  }
  return 0;
}
