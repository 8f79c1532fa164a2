import type { Reader } from './reader.ts';

/** Readers that get their events at once, before other work of the process has its turn. */
const TURN = 100;

/** Tells many readers, some of them at a time: a payment must not wait until a thousand have their events. */
export class Telling {
  readonly #tell: (reader: Reader) => void;
  #untold: Iterator<Reader> | undefined;

  /** @param tell never throws */
  constructor(tell: (reader: Reader) => void) {
    this.#tell = tell;
  }

  /** Begins with these readers, in the place of those that have not been told yet. */
  begin(readers: readonly Reader[]): void {
    const isTelling = this.#untold !== undefined;
    this.#untold = readers.values();
    if (!isTelling) this.#some();
  }

  stop(): void {
    this.#untold = undefined;
  }

  #some(): void {
    for (let count = 0; count < TURN; count += 1) {
      const next = this.#untold?.next();
      if (next === undefined || next.done === true) {
        this.#untold = undefined;
        return;
      }
      this.#tell(next.value);
    }
    setImmediate(() => this.#some());
  }
}
