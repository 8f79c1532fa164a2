/**
 * A machine that is too slow: the demo, its service held to a share of one core (default a quarter) for `--minutes`, while
 * answers are bought from it. Nothing may crash, nothing may be sold older than it may be, nobody is charged for a
 * refusal, memory and queues stay bounded, load is shed in the stated order, and with the core back all venues are live
 * and nothing is shed within 30 s. `npm run soak overload`; exit 1 when a bar is missed. It holds only where the rest of
 * the demo gets the CPU that it needs.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Measured, printBars } from '../../scripts/bars.ts';
import { startDemo, stopDemo } from '../../scripts/with-demo.ts';
import type { DemoFile } from '../../src/host/process/demo-file.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { reasonOf } from '../../src/runtime/reason-of.ts';
import { readOptions } from './options.ts';
import { OverloadBuyer } from './overload-buyer.ts';
import { compareMoney } from './overload-money.ts';
import { OverloadTruth } from './overload-truth.ts';
import { OverloadWatch, type Reading } from './overload-watch.ts';
import { Random } from './random.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  minutes: { type: 'string', default: '10' },
  share: { type: 'string', default: '0.25' },
});

const BARS = {
  recoverSeconds: 30,
  /** Beyond what the service held before. */
  grownMb: 250,
  residentMb: 900,
  /** Half of what may wait at most. */
  waitingRows: 45_000,
  openExchanges: 64,
  soldPerMinute: 3,
  liveVenues: 30,
};
const WORLD_SEED = 1;
const WARM_MS = 120_000;
const READ_EVERY_MS = 10_000;
const BUY_EVERY_MS = 1500;
const GIVE_UP_MS = 120_000;

const admin = await freePort('127.0.0.1');
process.env.PERPMETER_ADMIN_PORT = String(admin);
console.log(`seed ${values.seed}, ${values.share} of a core for ${values.minutes} minutes`);
const demo = await startDemo('0');
const { service = 0 } = demo.pids;
const file = JSON.parse(readFileSync('var/demo.json', 'utf8')) as Required<DemoFile>;
const watch = new OverloadWatch(file.base_url, `http://127.0.0.1:${admin}/metrics`, service);
const buyer = new OverloadBuyer(file, new Random(Number(values.seed)), new OverloadTruth(WORLD_SEED));

/** Buys until told to end; a purchase that is under way is finished. */
async function buyUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const began = Date.now();
    await buyer.buy();
    await wait(Math.max(0, BUY_EVERY_MS - (Date.now() - began)));
  }
}

/** Returns how long the service took to be well once it had its core back. */
async function overload(readings: Reading[]): Promise<number> {
  const script = new URL('./cpu-share.ts', import.meta.url);
  const holder = fork(script, [String(service), values.share], { execArgv: ['--import', 'tsx'] });
  const until = Date.now() + Number(values.minutes) * 60_000;
  let isOver = false;
  const buying = buyUntil(() => isOver);
  try {
    while (Date.now() < until) {
      await wait(READ_EVERY_MS);
      readings.push(await watch.read());
    }
    holder.disconnect();
    return await watch.untilWell(GIVE_UP_MS);
  } finally {
    isOver = true;
    await buying;
    if (holder.connected) holder.disconnect();
  }
}

async function run() {
  const earnedBefore = await buyer.earned();
  await watch.untilWell(WARM_MS);
  const before = await watch.read();
  const readings: Reading[] = [];
  const following = watch.followLevels();
  try {
    const recoveredMs = await overload(readings);
    const money = await compareMoney(file, (await buyer.earned()) - earnedBefore);
    return { before, readings, following, recoveredMs, money };
  } finally {
    following.stop();
  }
}

const ran = await run().catch((cause: unknown) => {
  console.log(`missed: the run ended early: ${reasonOf(cause)}`);
  return undefined;
});
const { stopMs, left } = await stopDemo(demo);
if (ran === undefined) process.exit(1);
const { before, readings, following, recoveredMs, money } = ran;
const { bought } = buyer;
const { ages } = bought;
const most = (of: (reading: Reading) => number): number => Math.max(...readings.map(of));
const live = readings.map(({ live: count }) => count).sort((a, b) => a - b);
const rows: Measured[] = [];
const atMost = (name: string, value: number, bar: number) => rows.push({ name, value, sign: '<=', bar });
const atLeast = (name: string, value: number, bar: number) => rows.push({ name, value, sign: '>=', bar });
atMost(
  'CPU used, cores',
  most(({ cores }) => cores),
  Number(values.share) * 1.2,
);
atLeast('answers sold a minute', bought.sold / Number(values.minutes), BARS.soldPerMinute);
atMost('oldest value sold, part of what it may be', ages.oldest, 1);
atMost('sold stale, or not as the venue said', ages.problems.length, 0);
atMost('purchases without an answer', bought.lost, 0);
atMost('answers less payments on the chain', Math.abs(bought.sold - money.payments), 0);
atMost('ledger less chain, atomic units', Math.abs(money.difference), 0);
atMost('differences that reconcile finds', money.differences, 0);
atMost(
  'resident, MB',
  most(({ mb }) => mb),
  BARS.residentMb,
);
atMost('resident, more than before, MB', most(({ mb }) => mb) - before.mb, BARS.grownMb);
atMost(
  'rows that wait for the store',
  most(({ waitingRows }) => waitingRows),
  BARS.waitingRows,
);
atMost(
  'requests that are open',
  most(({ open }) => open),
  BARS.openExchanges,
);
atLeast('live venues, median', live[Math.floor(live.length / 2)] ?? 0, BARS.liveVenues);
atLeast('highest level of shedding', Math.max(0, ...following.levels), 1);
atMost('steps out of the stated order', following.outOfOrder, 0);
atMost('all live and nothing shed again, s', recoveredMs / 1000, BARS.recoverSeconds);
atMost(`processes left after the stop (${left.join(', ') || 'none'})`, left.length, 0);
const missed = printBars(rows);
for (const problem of ages.problems.slice(0, 20)) console.log(`  ${problem}`);
const statuses = [...bought.statuses].sort().map(([status, count]) => `${status}: ${count}`);
console.log(
  `levels ${following.levels.join(' ')}; answers ${statuses.join(', ')}; slowest ${bought.slowestMs} ms`,
);
console.log(
  `soak overload: ${values.minutes} minutes at ${values.share} of a core, ${bought.sold} sold and ${bought.refused} refused, ` +
    `${ages.values} values held against the truth (at most ${ages.hiddenSeconds.toFixed(1)} s older than they say), ` +
    `recovered in ${(recoveredMs / 1000).toFixed(1)} s, stopped in ${stopMs} ms, ${missed} bars missed`,
);
process.exit(missed === 0 ? 0 : 1);
