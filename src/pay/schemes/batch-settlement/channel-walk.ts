import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Channels, StoredChannel } from './channels.ts';

/** Rows that are read without a turn of the event loop between them. */
const PAGE = 500;

/**
 * Walks over all channels, a share in each round, so that each is met once in a set time however many there are. The first
 * walk after a start is made at once: the process before may have left something urgent.
 */
export class ChannelWalk {
  readonly #channels: Pick<Channels, 'page'>;
  #after: string | undefined;
  /** Rows of the walk before. */
  #count = Number.POSITIVE_INFINITY;
  /** Rows of this walk so far. */
  #met = 0;

  constructor(channels: Pick<Channels, 'page'>) {
    this.#channels = channels;
  }

  /**
   * The channels of a round.
   *
   * @param rounds in which a walk is made
   */
  async *share(rounds: number): AsyncGenerator<StoredChannel> {
    // One more than there were, so that the end is seen.
    let left = Math.ceil((this.#count + 1) / rounds);
    while (left > 0) {
      const limit = Math.min(left, PAGE);
      const { found, rows, after } = await this.#channels.page(this.#after, limit);
      yield* found;
      left -= limit;
      this.#met += rows;
      this.#after = after;
      if (after === undefined) {
        this.#count = this.#met;
        this.#met = 0;
        return;
      }
      await nextTurn();
    }
  }
}
