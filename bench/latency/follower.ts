import { performance } from 'node:perf_hooks';
import { Client } from 'undici';
import { BookProxy, type Passed } from './proxy.ts';

/** Beginning of the messages of one contract, BTC, by venue; each venue speaks at its own moment of the second. */
export const FOLLOWED: Readonly<Record<string, RegExp>> = {
  binance: /"btcusdt@depth/,
  bybit: /"orderbook\.\d+\.BTCUSDT"/,
  okx: /"instId":"BTC-USDT-SWAP"/,
  bitget: /"BTCUSDT"/,
  gate: /"s":"[^"]*BTC_USDT\b/,
  aster: /"btcusdt@depth/,
  backpack: /"s":"BTC_USDC_PERP"/,
  deribit: /"book\.BTC[-_A-Z]*-PERPETUAL\./,
};
/** A change that is not seen for so long was overtaken or lost: it is counted as such. */
const LOST_MS = 2000;

/** What was measured, over all followers. */
export interface Measured {
  /** From a frame to its quote, ms. */
  readonly latencies: number[];
  lost: number;
}

/** Follows one book of one venue: the next change that passes after the last was seen. */
export class Follower {
  readonly #venue: string;
  readonly #into: Measured;
  readonly #proxy: BookProxy;
  #following: Promise<void> | undefined;
  #client: Client | undefined;

  /**
   * @param frames what the beginning of the contract's frames matches
   * @param venues address of the simulated venues, `http://host:port`
   */
  constructor(venue: string, frames: RegExp, venues: string, into: Measured) {
    this.#venue = venue;
    this.#into = into;
    const target = `${venues.replace('http', 'ws')}/${venue}`;
    this.#proxy = new BookProxy(target, frames, (change) => this.#passed(change));
  }

  /** Address of the venue's socket. */
  address(): Promise<string> {
    return this.#proxy.address();
  }

  begin(service: string): void {
    this.#client = new Client(service);
  }

  /** What is being followed is followed to its end. */
  async end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await this.#following;
    await client?.close();
  }

  close(): void {
    this.#proxy.close();
  }

  #passed(change: Passed): void {
    const client = this.#client;
    if (client === undefined || this.#following !== undefined) return;
    const note = (ms: number | undefined): void => {
      if (ms === undefined) this.#into.lost += 1;
      else this.#into.latencies.push(ms);
      this.#following = undefined;
    };
    this.#following = this.#untilVisible(client, change).then(note, () => note(undefined));
  }

  /** Whether the service has the book from the stream by now. */
  async isStreaming(service: string): Promise<boolean> {
    const reply = await fetch(service + this.#path);
    const quote = (await reply.json()) as { readonly source?: string };
    return quote.source === 'stream';
  }

  get #path(): string {
    return `/v1/orderbook/${this.#venue}/BTC/top`;
  }

  /** Asks for the quote until it contains the change. Undefined where it never does. */
  async #untilVisible(client: Client, change: Passed): Promise<number | undefined> {
    const path = this.#path;
    while (performance.now() - change.mark < LOST_MS) {
      const { statusCode, body } = await client.request({ method: 'GET', path });
      const quote = (await body.json()) as { readonly timestamp?: string };
      const seen = performance.now();
      if (statusCode === 200 && Date.parse(quote.timestamp ?? '') >= change.at) return seen - change.mark;
    }
    return undefined;
  }
}
