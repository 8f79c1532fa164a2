import { randomHex } from '../payment.ts';
import { type ChannelRecord, type ChannelStore, unspentOf } from './channel.ts';

/** Times that a change is tried again where another process was faster. */
const TRIES = 5;

/** The channels of a wallet: their records, and the order in which calls of this process use each. */
export class ChannelBook {
  /** Name of this process among those that share the store. */
  readonly owner = randomHex(8);
  readonly #store: ChannelStore;
  readonly #records = new Map<string, ChannelRecord>();
  readonly #queues = new Map<string, Promise<void>>();
  /** Deposits that are decided and not stored yet. */
  readonly #reserved = new Map<string, bigint>();

  constructor(store: ChannelStore) {
    this.#store = store;
  }

  /** Reads all channels from the store. */
  async refresh(): Promise<void> {
    for (const record of await this.#store.load()) this.#records.set(record.id, record);
  }

  get(id: string): ChannelRecord | undefined {
    return this.#records.get(id);
  }

  all(): readonly ChannelRecord[] {
    return [...this.#records.values()];
  }

  /** A payer's money that lies unspent in all its channels, with what is about to be deposited, atomic units. */
  unspent(payer: string): bigint {
    const inChannels = this.all()
      .filter(({ config }) => config.payer === payer)
      .reduce((sum, record) => sum + unspentOf(record), 0n);
    return [...this.#reserved.values()].reduce((sum, amount) => sum + amount, inChannels);
  }

  /** Counts a deposit from this turn of the event loop on, until its record is saved. */
  reserve(id: string, amount: bigint): void {
    this.#reserved.set(id, amount);
  }

  /** Counts it no more: nothing is signed of it. */
  unreserve(id: string): void {
    this.#reserved.delete(id);
  }

  /** Waits until all earlier calls have left a channel. @returns ends this one's turn; further calls of it do nothing */
  async enter(id: string): Promise<() => void> {
    const before = this.#queues.get(id);
    let leave = (): void => {};
    const turn = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#queues.set(id, turn);
    await before;
    return leave;
  }

  /** Saves a record. @returns false where another process has changed the channel meanwhile */
  async save(record: ChannelRecord): Promise<boolean> {
    const isSaved = await this.#store.save(record);
    this.#reserved.delete(record.id);
    if (isSaved) this.#records.set(record.id, record);
    else await this.refresh();
    return isSaved;
  }

  /** Changes a record as it stands. Rejects where it cannot be stored. */
  async change(id: string, changed: (record: ChannelRecord) => Partial<ChannelRecord>): Promise<void> {
    for (let i = 0; i < TRIES; i++) {
      const record = this.get(id);
      if (record === undefined) return;
      if (await this.save({ ...record, ...changed(record), version: record.version + 1 })) return;
    }
    throw new Error('the channel is changed by others all the time');
  }

  /**
   * Changes a record to less than was signed or counted.
   * @returns false where that cannot be stored: the caps must not give back what the record still counts
   */
  takeBack(id: string, changed: (record: ChannelRecord) => Partial<ChannelRecord>): Promise<boolean> {
    return this.change(id, changed).then(
      () => true,
      () => false,
    );
  }
}
