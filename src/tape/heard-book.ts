import type { BookWriter } from '../collect/ports.ts';

/** A book's writer that tells of everything that is done to the book, when it is done. */
export function heardBook(writer: BookWriter, tell: () => void): BookWriter {
  const told = <Result>(result: Result): Result => {
    tell();
    return result;
  };
  return {
    replace: (frame, at, origin) => told(writer.replace(frame, at, origin)),
    apply: (frame, at) => told(writer.apply(frame, at)),
    confirm: (at) => told(writer.confirm(at)),
    invalidate: () => told(writer.invalidate()),
    compare: (frame) => writer.compare(frame),
    close: () => told(writer.close()),
  };
}
