/**
 * Measures the cost of a feed: all simulated venues through one collector and a NATS server to 1, 2, 4 and 8
 * sellers, and from 2 and 4 collectors that share the leases; CPU of each as a share of a core, and the lag of
 * sellers' tables behind their collectors. Shares say something where the machine has cores to spare. `npm run
 * bench sellers`; exit 1 where the bar is missed. BENCH_SECONDS, BENCH_SELLERS and BENCH_COLLECTORS (1,2)
 * shorten it for a look; BENCH_BOOKS is how many books of a venue are streamed (40).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Measured, printBars } from '../scripts/bars.ts';
import { cpuSeconds } from '../scripts/process-cpu.ts';
import { answerHelp } from '../scripts/usage.ts';
import { NatsServer } from '../test/feed/nats-server.ts';
import { startVenues } from './latency/service.ts';
import { describeMachine } from './machine.ts';
import { BOOKS, type FeedMember, lagWithin, startMember, untilServed } from './sellers/members.ts';

answerHelp();

const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const counts = (text: string): readonly number[] => text.split(',').filter(Boolean).map(Number);
const SELLERS = counts(process.env.BENCH_SELLERS ?? '1,2,4,8');
const COLLECTORS = counts(process.env.BENCH_COLLECTORS ?? '2,4');
const LAG_S = 0.1;

const { child: venues, url } = await startVenues();
const nats = await NatsServer.start();
const collectors: FeedMember[] = [];
const sellers: FeedMember[] = [];
const add = async (list: FeedMember[], role: 'collect' | 'sell', count: number): Promise<void> => {
  while (list.length < count) list.push(await startMember(role, nats.url(), url));
  await Promise.all([...collectors, ...sellers].map((member) => untilServed(member)));
};

interface Step {
  readonly bus: number;
  readonly collector: number;
  readonly seller: number;
  /** Part of what sellers took in that was in their table in time. */
  readonly inTime: number;
}

/** Mean shares of a core while nothing else changes. */
async function measure(): Promise<Step> {
  const pids = [[nats.pid], collectors.map(({ pid }) => pid), sellers.map(({ pid }) => pid)];
  const used = (): number[] => pids.map((list) => list.reduce((sum, pid) => sum + cpuSeconds(pid), 0));
  const lagBefore = await Promise.all(sellers.map(({ admin }) => lagWithin(admin, LAG_S)));
  const before = used();
  const began = performance.now();
  await wait(SECONDS * 1000);
  const after = used();
  const seconds = (performance.now() - began) / 1000;
  const lagAfter = await Promise.all(sellers.map(({ admin }) => lagWithin(admin, LAG_S)));
  const share = (i: number): number =>
    ((after[i] ?? 0) - (before[i] ?? 0)) / seconds / Math.max(1, pids[i]?.length ?? 1);
  const spent = (name: 'inTime' | 'all'): number =>
    lagAfter.reduce((sum, lag, i) => sum + lag[name] - (lagBefore[i]?.[name] ?? 0), 0);
  return { bus: share(0), collector: share(1), seller: share(2), inTime: spent('inTime') / spent('all') };
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const steps: Step[] = [];
try {
  console.log(`${describeMachine()}; ${BOOKS} books a venue; shares are of one core`);
  console.log('collectors sellers      bus  collector   seller   in its table within 100 ms');
  const report = async (): Promise<void> => {
    const step = await measure();
    steps.push(step);
    const { bus, collector, seller, inTime } = step;
    console.log(
      `${String(collectors.length).padStart(10)} ${String(sellers.length).padStart(7)} ${percent(bus).padStart(8)} ${percent(collector).padStart(10)} ${percent(seller).padStart(8)}   ${percent(inTime)}`,
    );
  };
  await add(collectors, 'collect', 1);
  for (const count of SELLERS) {
    await add(sellers, 'sell', count);
    await report();
  }
  for (const extra of sellers.splice(2)) await extra.stop();
  for (const count of COLLECTORS) {
    await add(collectors, 'collect', count);
    await report();
  }
  const [first] = steps as [Step];
  const rows: readonly Measured[] = [
    { name: "in the seller's table within 100 ms, percent", value: first.inTime * 100, sign: '>=', bar: 99 },
  ];
  if (printBars(rows) > 0) process.exitCode = 1;
} finally {
  await Promise.all([...sellers, ...collectors].map((member) => member.stop()));
  await nats.stop();
  await venues.stop(5000);
}
