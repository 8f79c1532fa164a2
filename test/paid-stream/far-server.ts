import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asMs } from '../../src/domain/units.ts';
import { readSelection } from '../../src/modules/paid-stream/selection.ts';
import { STREAM_FORMAT, StreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { FolderTables } from '../../src/modules/tables/folder-tables.ts';
import type { Table, TableKey, Tables } from '../../src/modules/tables/tables.ts';
import { StoreUnreachable } from '../../src/storage/remote-state.ts';
import { streamMarket, streamRig } from './stream-rig.ts';

/** Tables over a network: they answer later, some answers are lost, and transactions can be held up. */
class FarTables implements Tables {
  readonly inner: FolderTables;
  /** Answers that are still to be lost: the transaction is made, and its body is called again. */
  toLose = 0;
  silentMs = 0;
  isAway = false;
  #gate: Promise<void> = Promise.resolve();
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.inner = new FolderTables(folder, STREAM_FORMAT);
  }

  table<V, K extends TableKey = string>(name: string): Table<V, K> {
    return this.inner.table(name);
  }

  transact<T>(body: () => T): Promise<T> {
    const done = this.#last.then(async () => {
      await this.#gate;
      if (this.isAway) throw new StoreUnreachable('the store', new Error('cut'), true);
      for (; this.toLose > 0; this.toLose -= 1) this.inner.transact(body);
      return this.inner.transact(body);
    });
    this.#last = done.catch(() => {});
    return done;
  }

  /** Holds transactions up until it is called. */
  holdUp(): () => void {
    let open = (): void => {};
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    return () => open();
  }

  refresh(): void {
    this.inner.refresh();
  }

  async close(): Promise<void> {
    await this.inner.close();
  }
}

/** Resolves once all that was asked so far is answered, where nothing is held up. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export const ends: (() => Promise<unknown>)[] = [];

/** A market of one contract whose rate is another one each second, and hosts that share its streams. */
export function farHosts() {
  const market = streamMarket();
  market.list('okx', ['BTC']);
  const folder = mkdtempSync(join(tmpdir(), 'far-server-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const quote = (): void => {
    const rate = (Math.round(market.now() / 1000) % 1000) / 1e6;
    market.quote('okx', { symbol: 'BTCUSDT', mark: 100, rate, interval: 8 });
  };
  quote();
  market.pass(0);
  /** @param aheadMs by which its clock is ahead of that of the others */
  const host = async (owner: string, aheadMs = 0) => {
    const tables = new FarTables(folder);
    const store = new StreamStore(tables);
    const clock = { now: () => asMs(market.clock.now() + aheadMs) };
    const rig = streamRig({ ...market, clock }, { owner, store, isCharging: true });
    ends.push(() => rig.kill());
    await settle();
    return { ...rig, tables };
  };
  return { market, quote, host };
}
export type FarHosts = ReturnType<typeof farHosts>;
export type FarHost = Awaited<ReturnType<FarHosts['host']>>;

/** Seconds of some hosts, in turn. */
export async function pass({ market, quote }: FarHosts, hosts: readonly FarHost[], seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    market.pass(1000);
    quote();
    for (const { hall } of hosts) {
      hall.turn();
      await settle();
    }
  }
}

/** A stream that was sold with so many paid minutes. */
export async function sell({ market }: FarHosts, { desk }: FarHost, minutes: number) {
  const selection = readSelection({ symbol: 'BTC' }, market.market.view);
  if (!selection.ok) throw new Error(selection.error.detail);
  const offered = await desk.offer(selection.value, minutes);
  const body = Buffer.from(JSON.stringify({ ...offered, selection: selection.value, minutes }));
  const sale = { key: `sale of ${offered.id}`, claimedAt: market.now(), payer: '0xBuyer' };
  return { ...offered, pay: async () => desk.sold(sale, { body }) };
}
