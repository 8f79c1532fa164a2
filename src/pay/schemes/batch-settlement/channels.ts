import type { Clock } from '../../../domain/clock.ts';
import type { Account, AccountChange } from '../../account.ts';
import type { AccountStore } from '../../ledger-store.ts';
import type { PaymentRecord } from '../../record.ts';
import type { AccountStep, SchemeAccounts } from '../../scheme.ts';
import type { ChainView } from './chain-view.ts';
import type { ChannelConfig, ChannelPayment } from './channel.ts';
import { afterEvent, type Channel, type ChannelEvent, foundChannel, isPublished } from './lifecycle.ts';

/** Channels whose last row is remembered; the oldest are forgotten. */
const MAX_REMEMBERED = 10_000;
/** Times that a change is tried again where somebody else was faster. */
const TRIES = 5;

/** The account that says which process claims; those of channels are named by their ids. */
const LEASE = 'claims';

interface Lease {
  readonly owner: string;
  /** Unix ms. */
  readonly until: number;
}

/** A channel with the version of its row. */
export interface StoredChannel {
  readonly id: string;
  readonly version: number;
  readonly channel: Channel;
}

/** The text of a channel's row, and what it says. */
interface KnownRow {
  readonly row: string;
  readonly channel: Channel;
}

/** Some of all channels. */
export interface ChannelPage {
  readonly found: readonly StoredChannel[];
  /** Rows that were read for them. */
  readonly rows: number;
  readonly after: string | undefined;
}

/** The channels of a seller, as accounts of its ledger. */
export class Channels implements SchemeAccounts<ChannelPayment> {
  readonly #store: AccountStore;
  readonly #clock: Clock;
  /** The last rows that this process has read or written, for what is shown of a sale, and to parse no row twice. */
  readonly #remembered = new Map<string, KnownRow>();
  /** The chain's word about channels that have no row yet. */
  readonly #views = new Map<string, ChainView>();

  constructor(store: AccountStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A channel as it is kept; undefined where nothing was sold by it, or may be. */
  async read(id: string): Promise<StoredChannel | undefined> {
    const account = await this.#store.read(id);
    return account && this.#stored(account);
  }

  /** The last state that is known here, without asking the ledger. */
  remembered(id: string): Channel | undefined {
    return this.#remembered.get(id)?.channel;
  }

  /** Channels in the order of their ids, from the one behind `after`; there are no more where its own `after` is undefined. */
  async page(after: string | undefined, limit: number): Promise<ChannelPage> {
    const accounts = await this.#store.list({ limit, ...(after !== undefined && { after }) });
    const found = accounts.filter(({ id }) => id !== LEASE).map((account) => this.#parsed(account));
    const { length: rows } = accounts;
    return { found, rows, after: rows < limit ? undefined : accounts.at(-1)?.id };
  }

  /** Notes what the chain has of a channel. One that has no row gets it with its first sale. */
  async see(id: string, chain: ChainView): Promise<void> {
    if ((await this.read(id)) === undefined) remember(this.#views, id, chain);
    else await this.update(id, { kind: 'seen', chain });
  }

  /**
   * Makes an event happen to a channel; the channel after it, undefined where it cannot happen.
   *
   * @param config gives a row to a channel that has none and was looked at on the chain
   */
  async update(id: string, event: ChannelEvent, config?: ChannelConfig): Promise<Channel | undefined> {
    for (let i = 0; i < TRIES; i++) {
      const stored = (await this.read(id)) ?? (config && this.#found(id, config));
      const next = stored && afterEvent(stored.channel, event);
      if (next === undefined || next === stored?.channel) return next;
      const change = stored && changeOf(stored, next);
      if (change !== undefined && (await this.#store.write(change))) {
        remember(this.#remembered, id, { row: change.row, channel: next });
        return next;
      }
    }
    return undefined;
  }

  /** The chain's last word about a channel. */
  async view(id: string): Promise<ChainView | undefined> {
    return (await this.read(id))?.channel.chain ?? this.#views.get(id);
  }

  /**
   * True if this process is the one of those that share the ledger which claims, for so long from now.
   *
   * @param owner name of this run of the process
   */
  async leads(owner: string, forMs: number): Promise<boolean> {
    for (let i = 0; i < TRIES; i++) {
      const known = await this.#store.read(LEASE);
      const lease = known && (JSON.parse(known.row) as Lease);
      const now = this.#clock.now();
      if (lease !== undefined && lease.owner !== owner && lease.until > now) return false;
      const row = JSON.stringify({ owner, until: now + forMs } satisfies Lease);
      if (await this.#store.write({ id: LEASE, version: known?.version ?? 0, row })) return true;
      // Somebody was faster: another process, or this one for the channels of another network.
    }
    return false;
  }

  idOf({ voucher }: ChannelPayment): string {
    return voucher.channelId;
  }

  async isPrivate({ voucher: { channelId, total } }: ChannelPayment): Promise<boolean> {
    const channel = (await this.read(channelId))?.channel;
    return channel !== undefined && !isPublished(channel, total);
  }

  async change(record: PaymentRecord<ChannelPayment>, step: AccountStep): Promise<AccountChange | 'stale'> {
    const { channelId } = record.signed.voucher;
    const stored = (await this.read(channelId)) ?? this.#found(channelId, record.signed.config);
    const next = stored && afterEvent(stored.channel, this.#eventOf(record, step));
    if (stored === undefined || next === undefined) return 'stale';
    const change = changeOf(stored, next);
    if (step !== 'held') remember(this.#remembered, channelId, { row: change.row, channel: next });
    return change;
  }

  #found(id: string, config: ChannelConfig): StoredChannel | undefined {
    const view = this.#views.get(id);
    return view && { id, version: 0, channel: foundChannel(config, view) };
  }

  #eventOf(record: PaymentRecord<ChannelPayment>, step: AccountStep): ChannelEvent {
    const { key, amount, signed } = record;
    const at = this.#clock.now();
    if (step === 'settled') return { kind: 'settled', key, at };
    if (step === 'dropped') return { kind: 'dropped', key };
    const { total, signature } = signed.voucher;
    if (step === 'sold') return { kind: 'sold', voucher: { total, signature }, price: BigInt(amount), at };
    const deposit = BigInt(signed.deposit?.amount ?? 0);
    return { kind: 'held', sale: { key, total, signature }, price: BigInt(amount), deposit };
  }

  #stored(account: Account): StoredChannel {
    const stored = this.#parsed(account);
    const { id, row } = account;
    if (this.#remembered.get(id)?.channel !== stored.channel)
      remember(this.#remembered, id, { row, channel: stored.channel });
    return stored;
  }

  #parsed({ id, version, row }: Account): StoredChannel {
    const known = this.#remembered.get(id);
    return { id, version, channel: known?.row === row ? known.channel : (JSON.parse(row) as Channel) };
  }
}

const changeOf = ({ id, version }: StoredChannel, next: Channel): AccountChange => ({
  id,
  version,
  row: JSON.stringify(next),
});

function remember<T>(map: Map<string, T>, id: string, value: T): void {
  map.delete(id);
  if (map.size >= MAX_REMEMBERED) {
    const oldest = map.keys().next();
    if (oldest.done !== true) map.delete(oldest.value);
  }
  map.set(id, value);
}
