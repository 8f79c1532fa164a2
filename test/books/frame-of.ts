import type { BookUpdate } from '../../src/domain/book.ts';
import { BookFrame } from '../../src/venues/book-frame.ts';

/** A frame with the content of a decoded message. */
export function frameOf(update: BookUpdate): BookFrame {
  const frame = new BookFrame();
  frame.load(update);
  return frame;
}
