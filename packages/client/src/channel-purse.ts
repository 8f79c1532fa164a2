import type { Requirement } from './challenge.ts';
import type { ChannelStore } from './channels/channel.ts';
import type { ChannelOptions, ChannelStatus, ClosedChannel, FoundChannels } from './channels/options.ts';
import type { Http } from './http.ts';
import type { Signer } from './payment.ts';
import type { Order, Scheme } from './scheme.ts';
import type { Spending } from './spending.ts';
import type { Allowed } from './wallet-options.ts';

export interface ChannelPurseOptions {
  readonly http: Http;
  readonly baseUrl: string;
  readonly signer: Signer;
  readonly spending: Spending;
  readonly channels: ChannelOptions;
  readonly allow: Allowed | undefined;
  readonly store: ChannelStore;
  readonly trustRefusals: boolean;
  readonly now: () => number;
}

/** Pays by channel. The code for it is loaded with the first offer of a channel, that for closing and finding them when it is asked for. */
export class ChannelPurse {
  readonly #options: ChannelPurseOptions;
  #loaded: ReturnType<typeof load> | undefined;

  constructor(options: ChannelPurseOptions) {
    this.#options = options;
  }

  /** The entry of a challenge that a channel pays, and what pays it. */
  async choose(
    order: Order,
  ): Promise<{ readonly requirement: Requirement; readonly scheme: Scheme } | undefined> {
    if (order.challenge.others.length === 0) return undefined;
    const { scheme } = await this.#load();
    const requirement = await scheme.choose(order);
    return requirement && { requirement, scheme };
  }

  /** All channels of the store. Rejects where it cannot be read. */
  async list(): Promise<readonly ChannelStatus[]> {
    const { book, statusOf } = await this.#load();
    await book.refresh();
    return book.all().map(statusOf);
  }

  /** Closes a channel; undefined where there is none of this name. Rejects where the store cannot be read or written. */
  async close(id: string): Promise<ClosedChannel | undefined> {
    const { book } = await this.#load();
    const { closeChannel } = await import('./channels/upkeep.ts');
    await book.refresh();
    return closeChannel({ ...this.#options, book }, id);
  }

  /** Finds channels that the store does not know. Rejects where seller, node or store do not answer. */
  async find(path: string): Promise<FoundChannels> {
    const { book } = await this.#load();
    const { findChannels } = await import('./channels/upkeep.ts');
    await book.refresh();
    return findChannels({ ...this.#options, book }, path);
  }

  #load(): ReturnType<typeof load> {
    this.#loaded ??= load(this.#options);
    return this.#loaded;
  }
}

async function load({ store, ...options }: ChannelPurseOptions) {
  const { ChannelBook, ChannelScheme, statusOf } = await import('./channels/index.ts');
  const book = new ChannelBook(store);
  return { book, scheme: new ChannelScheme({ ...options, book }), statusOf };
}
