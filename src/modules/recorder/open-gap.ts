import type { BlockSummary, Gap } from './record.ts';

/** A span that is not recorded, while it lasts. */
export class OpenGap {
  readonly reason: string;
  #from: number;
  #records = 0;
  #bytes = 0;

  constructor(reason: string, from: number) {
    this.reason = reason;
    this.#from = from;
  }

  /** One record is missing. */
  drop(bytes: number): void {
    this.#records += 1;
    this.#bytes += bytes;
  }

  /** A block is missing, with the gaps that it told of. */
  lose({ from, records, rawBytes, gaps }: BlockSummary): void {
    this.#from = Math.min(this.#from, from, ...gaps.map((gap) => gap.from));
    this.#records += records - gaps.length + gaps.reduce((sum, gap) => sum + gap.records, 0);
    this.#bytes += rawBytes + gaps.reduce((sum, gap) => sum + gap.bytes, 0);
  }

  end(to: number): Gap {
    return { reason: this.reason, from: this.#from, to, records: this.#records, bytes: this.#bytes };
  }
}
