import type { VenueId } from '../../../domain/venue.ts';
import type { IdentityPlaceOptions } from '../../../market/open-store.ts';
import type {
  DecisionStore,
  IdentityRecord,
  IdentityStore,
  IdentityStoreState,
  MarketStore,
  OperatorDecision,
  RangeChange,
  SharedStoreListener,
  SourceIdStore,
} from '../../../market/stores.ts';
import { reasonOf } from '../../../runtime/reason-of.ts';
import { StoreUnreachable } from '../../../storage/remote-state.ts';
import {
  Connection,
  INSUFFICIENT_PRIVILEGE,
  REPEATABLE,
  type Row,
  refusalCode,
  type ServerOptions,
  writeParts,
} from '../server/connection.ts';
import { Listener } from '../server/listener.ts';
import { changeColumns, recordOf, type StoredRange } from './columns.ts';
import { IDENTITY_SERVER } from './schema.ts';
import { CHANGE, CHANNEL, DECIDE, FOLLOW, IS_DECIDED, NUMBER } from './statements.ts';

/** The number of requests in one statement. */
const AT_ONCE = 500;
/** The store is asked for news so often, also where none was announced: a silent network brings none. */
const POLL_MS = 5_000;

export interface SharedStoreOptions extends Omit<IdentityPlaceOptions, 'folder'> {
  /** Looked at before anything is read or written: rejects where this host may not use the server. */
  readonly check?: ServerOptions['check'];
}

/**
 * Identities on a PostgreSQL that hosts share, with a copy of all of them here. Reads use the copy; decisions
 * are requested from the server, and the first one holds for all hosts. While the server does not answer the
 * copy stays as it is.
 *
 * @param url postgres://user:password@host:port/database
 * @throws StoreOpenError where the tables cannot be used; StoreUnreachable where there is no answer, unless
 *   that may be
 */
export async function openSharedStore(url: string, options: SharedStoreOptions): Promise<MarketStore> {
  const store = new SharedStore(url, options);
  try {
    await store.settled();
  } catch (cause) {
    if (!(options.mayBeAway === true && cause instanceof StoreUnreachable)) {
      await store.close();
      throw cause;
    }
  }
  store.listen(url);
  return store;
}

/** With the revision that it was decided at, where nothing else may have changed since. */
type Asked = RangeChange & { readonly revision: number | undefined };

class SharedStore implements MarketStore {
  readonly #connection: Connection;
  readonly #onError: (reason: string) => void;
  readonly #ranges = new Map<string, IdentityRecord[]>();
  readonly #decisions: OperatorDecision[] = [];
  readonly #numbers = new Map<VenueId, number>();
  #revision = 0;
  /** Contracts that were heard of since `news` was asked last; undefined where nothing was heard. */
  #heard: Set<string> | undefined;
  /** Requests without an answer yet, by contract. */
  readonly #asked = new Map<string, Asked>();
  readonly #numberless = new Set<VenueId>();
  /** Contracts that nobody has decided about yet. */
  readonly #waiting = new Map<string, VenueId>();
  /** Contracts, and venues without a number, of which the server did not take what they are called. */
  readonly #refused = new Map<string, VenueId>();
  /** False where this host's role lets it only follow. */
  #mayDecide = true;
  /** True if the last look failed: one reason is logged once. */
  #isLost = false;
  #turn: Promise<void> = Promise.resolve();
  #isWoken = false;
  #listener: Listener | undefined;
  #look: NodeJS.Timeout | undefined;
  readonly identities: IdentityStore;

  constructor(url: string, { ends, check = async () => {}, onError = () => {} }: SharedStoreOptions) {
    this.#onError = onError;
    this.#connection = new Connection(url, {
      ...IDENTITY_SERVER,
      async check(server) {
        await IDENTITY_SERVER.check(server);
        await check(server);
      },
    });
    const shared: SharedStoreListener = {
      ends,
      news: () => this.#news(),
      waiting: (venue) => countOf(this.#waiting, venue),
      refused: (venue) => countOf(this.#refused, venue),
    };
    this.identities = {
      shared,
      load: () => [...this.#ranges.values()].flat(),
      save: (changes, isExact = false) => this.#ask(changes, isExact),
    };
  }

  readonly sourceIds: SourceIdStore = {
    idOf: (venue) => {
      const known = this.#numbers.get(venue);
      if (known === undefined && !this.#numberless.has(venue) && !this.#refused.has(venue)) {
        this.#numberless.add(venue);
        this.#wake();
      }
      return known;
    },
  };

  readonly decisions: DecisionStore = {
    since: (sequence) => this.#decisions.slice(sequence),
    append: async (decision) => {
      const record = JSON.stringify(decision);
      const isMade = { sql: IS_DECIDED, values: [decision.sequence, record] };
      const values = [this.#revision, decision.sequence, record];
      const isTaken = await this.#connection.write({ sql: DECIDE, values, isMade });
      await this.settled().catch(() => {});
      return isTaken;
    },
  };

  place(): IdentityStoreState {
    const waiting = this.#waiting.size + this.#numberless.size;
    return { kind: 'postgres', ok: this.#connection.ok, waiting, refused: this.#refused.size };
  }

  listen(url: string): void {
    this.#listener = new Listener(url, CHANNEL, () => this.#wake());
    this.#look = setInterval(() => this.#wake(), POLL_MS).unref();
  }

  /** One after the other: what is asked was made on what the last has read. */
  settled(): Promise<void> {
    const turn = this.#turn.then(() => this.#settle());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    clearInterval(this.#look);
    this.#listener?.close();
    await this.#turn;
    await this.#connection.close();
  }

  #ask(changes: readonly RangeChange[], isExact: boolean): void {
    for (const change of changes) {
      const key = keyOf(change);
      if (!this.#ranges.has(key) && !this.#refused.has(key)) this.#waiting.set(key, change.venue);
    }
    if (!this.#mayDecide) return;
    const revision = isExact ? this.#revision : undefined;
    for (const change of changes) this.#asked.set(keyOf(change), { ...change, revision });
    this.#wake();
  }

  /** Soon, once for all who want it meanwhile. A failed look is tried again with the next one. */
  #wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    const settle = (): Promise<void> => {
      this.#isWoken = false;
      return this.#settle();
    };
    this.#turn = this.#turn.then(settle).then(
      () => {
        this.#isLost = false;
      },
      (cause: unknown) => this.#lost(reasonOf(cause)),
    );
  }

  #lost(reason: string): void {
    if (!this.#isLost) this.#onError(reason);
    this.#isLost = true;
    this.#listener?.renew();
  }

  async #settle(): Promise<void> {
    await this.#follow();
    try {
      await this.#number([...this.#numberless]);
      while (this.#asked.size > 0) await this.#decideSome();
    } catch (cause) {
      if (refusalCode(cause) !== INSUFFICIENT_PRIVILEGE) throw cause;
      this.#mayDecide = false;
      this.#asked.clear();
    }
    if (this.#numberless.size > 0) await this.#follow();
  }

  async #decideSome(): Promise<void> {
    const revision = this.#asked.values().next().value?.revision;
    const alike = [...this.#asked.entries()].filter(([, change]) => change.revision === revision);
    const chosen = revision === undefined ? alike.slice(0, AT_ONCE) : alike;
    const current = chosen
      .filter(([key, change]) => this.#isCurrent(key, change))
      .map(([, change]) => change);
    await this.#change(current, revision);
    for (const [key, change] of chosen) if (this.#asked.get(key) === change) this.#asked.delete(key);
    await this.#follow();
  }

  #change(changes: readonly RangeChange[], revision: number | undefined): Promise<void> {
    // The changes of one revision are made as a whole, or not at all.
    const least = revision === undefined ? 1 : changes.length;
    const write = (some: readonly RangeChange[]): Promise<void> =>
      this.#write(CHANGE, [...changeColumns(some), revision ?? null]);
    return writeParts(changes, least, write, (some, cause) => {
      for (const one of some) this.#refuse(keyOf(one), one, cause);
    });
  }

  #number(venues: readonly VenueId[]): Promise<void> {
    const write = (some: readonly VenueId[]): Promise<void> => this.#write(NUMBER, [some]);
    return writeParts(venues, 1, write, ([venue = ''], cause) => this.#refuse(venue, { venue }, cause));
  }

  /** Said once; what a later list asks of it is asked again. */
  #refuse(key: string, { venue, symbol }: { venue: VenueId; symbol?: string }, cause: unknown): void {
    this.#waiting.delete(key);
    this.#numberless.delete(key);
    if (this.#refused.has(key)) return;
    this.#refused.set(key, venue);
    const named = JSON.stringify(symbol ?? venue).slice(0, 100);
    const reason = reasonOf(cause instanceof Error ? cause.cause : cause);
    this.#onError(`${venue}: the server refuses ${named}: ${refusalCode(cause)} ${reason}`);
  }

  #isCurrent(key: string, { before, revision = this.#revision }: Asked): boolean {
    const last = this.#ranges.get(key)?.at(-1);
    const isSame =
      last?.validFrom === before?.validFrom &&
      last?.validTo === before?.validTo &&
      last?.basis === before?.basis;
    return isSame && revision === this.#revision;
  }

  /** Made once or not at all, whatever is repeated: what has become of it is read afterwards. */
  async #write(sql: string, values: readonly unknown[]): Promise<void> {
    await this.#connection.write({ sql, values, isMade: REPEATABLE });
  }

  async #follow(): Promise<void> {
    const [row] = await this.#connection.read(FOLLOW, [this.#revision]);
    if (row === undefined || Number(row.revision) === this.#revision) return;
    this.#take(row);
    this.#revision = Number(row.revision);
  }

  #take(row: Row): void {
    this.#heard ??= new Set();
    for (const stored of row.ranges as readonly StoredRange[]) {
      const key = keyOf(stored);
      const list = this.#ranges.get(key) ?? [];
      this.#ranges.set(key, list);
      list[stored.generation] = recordOf(stored);
      this.#heard.add(key);
      this.#waiting.delete(key);
      this.#refused.delete(key);
    }
    this.#decisions.push(...(row.decisions as readonly OperatorDecision[]));
    for (const { venue, id } of row.source_ids as readonly { venue: VenueId; id: number }[]) {
      this.#numbers.set(venue, id);
      this.#numberless.delete(venue);
      this.#refused.delete(venue);
    }
  }

  #news(): readonly (readonly IdentityRecord[])[] | undefined {
    const heard = this.#heard;
    this.#heard = undefined;
    return heard && [...heard].map((key) => this.#ranges.get(key) ?? []);
  }
}

const keyOf = ({ venue, symbol }: { readonly venue: VenueId; readonly symbol: string }): string =>
  `${venue}\n${symbol}`;

const countOf = (contracts: ReadonlyMap<string, VenueId>, venue: VenueId): number =>
  [...contracts.values()].filter((contract) => contract === venue).length;
