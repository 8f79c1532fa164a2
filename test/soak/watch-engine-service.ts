/**
 * A process that holds watches over a scripted market, or waits to hold them, until it is killed:
 * `watch-engine-service <folder> <seed> [<host> <url>]`. It reads an order a line, and answers with a line. With a host its watches are on
 * the PostgreSQL of that address, with a copy in the folder.
 */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { openWatchStore } from '../../src/modules/watch/watch-store.ts';
import { createOwner } from '../../src/storage/process-owner.ts';
import { conditionFrom, marketRig, watchRig } from '../watch/watch-rig.ts';
import { openSharedStore } from './shared-watch-store.ts';
import { ASSETS, rateAt, type SoakedWatch, startOf, turnsOf, VENUES } from './watch-truth.ts';

/** A tick to pass, or watches to sell before the next one. */
export type Order = { readonly tick: number } | { readonly sell: readonly SoakedWatch[] };

/** The answer of a process to an order. */
export interface Passed {
  readonly holds: boolean;
  /** Time of this process, Unix ms. */
  readonly now: number;
  /** Ids of the watches that were sold. */
  readonly ids: readonly string[];
  /** Firings that it told, by watch and number. */
  readonly told: readonly string[];
  readonly faults: readonly string[];
}

const DAY_MS = 86_400_000;
const [folder = '', seed = '0', host, url] = process.argv.slice(2);
const market = marketRig();
for (const venue of VENUES) market.list(venue, ASSETS);
const store = url === undefined ? openWatchStore(folder) : await openSharedStore(url, folder);
// A process of another machine cannot be looked up: only its lease says that it is gone.
const owner = host === undefined ? createOwner() : `${host}/${process.pid}/${randomBytes(6).toString('hex')}`;
const rig = watchRig(market, { store, owner, isCharging: false });

function quote(tick: number): void {
  for (const venue of VENUES) {
    const rows = ASSETS.map((asset) => ({
      symbol: `${asset}USDT`,
      markPrice: 100,
      fundingRate: rateAt(Number(seed), venue, asset, tick),
      fundingIntervalHours: 8,
    }));
    market.tape.sinks.market.quotes(venue, rows as never, market.now());
  }
}

async function pass(tick: number): Promise<void> {
  market.pass(startOf(tick) - market.now());
  quote(tick);
  for (const at of turnsOf(tick)) {
    market.pass(at - market.now());
    rig.engine.turn();
    await rig.engine.answered();
  }
}

async function sell({ asked, forMs }: SoakedWatch): Promise<string> {
  const { id } = await rig.desk.offer(conditionFrom(market, asked), forMs / DAY_MS);
  return id;
}

async function obey(order: Order): Promise<Passed> {
  if ('tick' in order) await pass(order.tick);
  const ids: string[] = [];
  if ('sell' in order) for (const watch of order.sell) ids.push(await sell(watch));
  const told = rig.told.splice(0).map(({ watchId, seq }) => `${watchId}.${seq}`);
  const faults = rig.faults.splice(0).map(String);
  return { holds: rig.engine.holds, now: market.now(), ids, told, faults };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await obey(JSON.parse(line) as Order))}\n`);
// Its input has ended: it is to stop, and lets another process hold the watches.
await rig.engine.stop();
await rig.store.close();
