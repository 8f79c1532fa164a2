/**
 * A process that holds watches over a scripted market, or waits to hold them, until it is killed:
 * `watch-engine-service <folder> <seed> <name>`. It reads an order a line, and answers with a line.
 */
import { createInterface } from 'node:readline';
import { createOwner } from '../../src/storage/process-owner.ts';
import { conditionFrom, marketRig, watchRig } from '../watch/watch-rig.ts';
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
const [folder = '', seed = '0'] = process.argv.slice(2);
const market = marketRig();
for (const venue of VENUES) market.list(venue, ASSETS);
const rig = watchRig(market, { folder, owner: createOwner(), isCharging: false });

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

function pass(tick: number): void {
  market.pass(startOf(tick) - market.now());
  quote(tick);
  for (const at of turnsOf(tick)) {
    market.pass(at - market.now());
    rig.engine.turn();
  }
}

const sell = ({ asked, forMs }: SoakedWatch): string =>
  rig.hold(conditionFrom(market, asked), forMs / DAY_MS);

function obey(order: Order): Passed {
  if ('tick' in order) pass(order.tick);
  const ids = 'sell' in order ? order.sell.map(sell) : [];
  const told = rig.told.splice(0).map(({ watchId, seq }) => `${watchId}.${seq}`);
  const faults = rig.faults.splice(0).map(String);
  return { holds: rig.engine.holds, now: market.now(), ids, told, faults };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(obey(JSON.parse(line) as Order))}\n`);
// Its input has ended: it is to stop, and lets another process hold the watches.
await rig.engine.stop();
await rig.store.close();
