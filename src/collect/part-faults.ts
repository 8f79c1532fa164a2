import type { VenueDecodePipeline } from './decode-pipeline.ts';

/**
 * Faults of single requests of a poll, each told under a name of its own: the good answers of the others would else hide it
 * from the venue's health at once.
 */
export class PartFaults {
  readonly #feed: VenueDecodePipeline;
  readonly #source: string;
  readonly #failing = new Set<string>();

  constructor(feed: VenueDecodePipeline, source: string) {
    this.#feed = feed;
    this.#source = source;
  }

  failed(label: string, reason: string): void {
    this.#failing.add(label);
    this.#feed.failed(this.#nameOf(label), reason);
  }

  succeeded(label: string): void {
    if (this.#failing.delete(label)) this.#feed.succeeded(this.#nameOf(label));
  }

  /** A request that is no longer made does not fail any more. */
  keepOnly(labels: ReadonlySet<string>): void {
    for (const label of this.#failing) if (!labels.has(label)) this.succeeded(label);
  }

  #nameOf(label: string): string {
    return `${this.#source} ${label}`;
  }
}
