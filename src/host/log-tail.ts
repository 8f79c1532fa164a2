import type { DestinationStream } from 'pino';

const LINES = 200;
const MAX_LINE_LENGTH = 2000;

/** The last lines of the log, kept while they are written to where the log goes. */
export class LogTail implements DestinationStream {
  readonly #lines: string[] = [];
  readonly #to: DestinationStream;

  /** @param to where the log goes; default nowhere */
  constructor(to: DestinationStream = { write: () => {} }) {
    this.#to = to;
  }

  write(line: string): void {
    this.#to.write(line);
    this.#lines.push(line.trimEnd().slice(0, MAX_LINE_LENGTH));
    if (this.#lines.length > LINES) this.#lines.shift();
  }

  /** Newest first, as they were written. */
  lines(): readonly string[] {
    return this.#lines.toReversed();
  }
}
