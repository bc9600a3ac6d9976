/** The books that the library owns. */

/** One copy of a book. */
export interface Book {
  readonly id: string;
  readonly title: string;
  readonly author: string;
}

/** Finds a copy by its id. */
export function findBook(books: readonly Book[], id: string): Book | undefined {
  return books.find((book) => book.id === id);
}
