import { performance } from 'node:perf_hooks';
import { Client } from 'undici';
import { BookProxy, type Passed } from './proxy.ts';
import { symbolOf } from './symbol-of.ts';

/** Venues whose contract of BTC is followed: they stream books alone, each at its own moment of the second. */
export const FOLLOWED = ['binance', 'bybit', 'okx', 'bitget', 'gate', 'aster', 'backpack', 'deribit'];
/** A change that is not seen for so long was overtaken or lost: it is counted as such. */
const LOST_MS = 2000;

/** The source of the contract: the service, or the relay that gets the same frames. */
export type Asked = 'service' | 'relay';

/** Measurements of one source, over all followers. */
export interface Measured {
  /** From a frame to its quote, ms. */
  readonly latencies: number[];
  lost: number;
}

/** Follows one book of one venue: the next change that passes after the last was seen. */
export class Follower {
  readonly #venue: string;
  readonly #into: Readonly<Record<Asked, Measured>>;
  readonly #proxy: BookProxy;
  #following: Promise<void> | undefined;
  #clients: Readonly<Record<Asked, Client>> | undefined;
  #relayPath: string | undefined;
  /** Matches the beginning of the contract's frames, once it is known. */
  #frames: RegExp | undefined;

  /**
   * @param venues address of the simulated venues, `http://host:port`
   * @param relay address of the relay
   */
  constructor(venue: string, venues: string, relay: string, into: Readonly<Record<Asked, Measured>>) {
    this.#venue = venue;
    this.#into = into;
    const target = `${venues.replace('http', 'ws')}/${venue}`;
    const copies = `${relay.replace('http', 'ws')}/${venue}`;
    this.#proxy = new BookProxy(target, copies, {
      isFollowed: (head) => this.#frames?.test(head) ?? false,
      passed: (change) => this.#passed(change),
    });
  }

  /** Address of the venue's socket. */
  address(): Promise<string> {
    return this.#proxy.address();
  }

  begin(addresses: Readonly<Record<Asked, string>>): void {
    this.#clients = { service: new Client(addresses.service), relay: new Client(addresses.relay) };
  }

  /** A contract that is being followed is followed to its end. */
  async end(): Promise<void> {
    const clients = this.#clients;
    this.#clients = undefined;
    await this.#following;
    await Promise.all([clients?.service.close(), clients?.relay.close()]);
  }

  close(): void {
    this.#proxy.close();
  }

  #passed(change: Passed): void {
    const clients = this.#clients;
    if (clients === undefined || this.#following !== undefined) return;
    this.#relayPath ??= `/${this.#venue}/${encodeURIComponent(symbolOf(JSON.parse(change.text)) ?? '')}`;
    const paths = { service: this.#path, relay: this.#relayPath };
    const follow = async (asked: Asked): Promise<void> => {
      const ms = await untilVisible(clients[asked], paths[asked], change).catch(() => undefined);
      if (ms === undefined) this.#into[asked].lost += 1;
      else this.#into[asked].latencies.push(ms);
    };
    this.#following = Promise.all([follow('service'), follow('relay')]).then(() => {
      this.#following = undefined;
    });
  }

  /**
   * True if the service has the book from the stream by now. Where a venue has several contracts of BTC, the
   * one that the service answers with is followed: another one's frame may pass long before.
   */
  async isStreaming(service: string): Promise<boolean> {
    const reply = await fetch(service + this.#path);
    const quote = (await reply.json()) as { readonly source?: string; readonly venue_symbol?: string };
    if (quote.source !== 'stream' || quote.venue_symbol === undefined) return false;
    this.#frames = new RegExp(`["./]${quote.venue_symbol}(?![\\w-])`, 'i');
    return true;
  }

  get #path(): string {
    return `/v1/orderbook/${this.#venue}/BTC/top`;
  }
}

/** Asks for the quote until it contains the change. Undefined where it never does. */
async function untilVisible(client: Client, path: string, change: Passed): Promise<number | undefined> {
  while (performance.now() - change.mark < LOST_MS) {
    const { statusCode, body } = await client.request({ method: 'GET', path });
    const quote = (await body.json()) as { readonly timestamp?: string };
    const seen = performance.now();
    if (statusCode === 200 && Date.parse(quote.timestamp ?? '') >= change.at) return seen - change.mark;
  }
  return undefined;
}
