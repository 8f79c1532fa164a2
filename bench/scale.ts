/**
 * Measures the joint sales of several sellers: one ledger in PostgreSQL, one feed, 1, 2, 4 and 8 sellers, each
 * held to the same small share of a core, so that a machine with few cores shows where they wait for each
 * other, and not that it has no more cores. Payments per second, as a ratio to one seller in the same run.
 * Buyers spread themselves; the facilitator agrees at once. `npm run bench scale`; exit 1 where the bar is
 * missed. BENCH_SELLERS (1,2), BENCH_PAYMENTS and BENCH_ROUNDS shorten it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { printBars } from '../scripts/bars.ts';
import { cpuSeconds } from '../scripts/process-cpu.ts';
import { answerHelp } from '../scripts/usage.ts';
import { NatsServer } from '../test/feed/nats-server.ts';
import { PostgresServer } from '../test/pay/postgres-server.ts';
import { startVenues } from './latency/service.ts';
import { describeMachine } from './machine.ts';
import { buyAll } from './pay/buyer.ts';
import { requestsOf } from './pay/paid-round.ts';
import { benchSeller } from './pay/terms.ts';
import { Wallet } from './pay/wallet.ts';
import { startStubFacilitator } from './scale/stub-facilitator-server.ts';
import { type FeedMember, startMember, untilServed } from './sellers/members.ts';
import { median } from './statistics.ts';

answerHelp();

/** Of a core, for each seller: eight of them leave more than a core to the servers and the buyers. */
const SHARE = 0.1;
/** To follow all of them would take most of such a share. */
const VENUES = ['bitget', 'bybit', 'okx'] as const;
const SELLERS = (process.env.BENCH_SELLERS ?? '1,2,4,8').split(',').map(Number);
/** Payments of a round at each seller, and buyers at a time. */
const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 400);
const CONNECTIONS = 16;
/**
 * Payments of each seller before it is held back, in each step again: its code is compiled then, and V8 lets code go that
 * was not run for a while, as while another seller is started.
 */
const WARM_UP = 2000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const MIN_OF_TWO = 1.8;
const ACCOUNTS = 64;

const ends: (() => unknown)[] = [];
const sellers: FeedMember[] = [];

/** All that sellers share, and how another one is started. */
async function startShared(): Promise<{ add: () => Promise<void>; wallet: Wallet }> {
  const seller = benchSeller();
  const { child: venues, url } = await startVenues();
  ends.unshift(() => venues.stop(5000));
  const nats = await NatsServer.start();
  ends.unshift(() => nats.stop());
  // Ten connections a seller.
  const ledger = await PostgresServer.start({ settings: ['max_connections=200'] });
  ends.unshift(() => ledger.stop());
  await ledger.database('scale');
  const facilitator = await startStubFacilitator();
  ends.unshift(() => facilitator.stop());
  const only = { PERPMETER_VENUES: VENUES.join(','), PERPMETER_BOOKS_PER_VENUE: '4' };
  const collector = await startMember('collect', nats.url(), url, only);
  ends.unshift(() => collector.stop());
  const wallet = await Wallet.open(seller, ACCOUNTS);
  const add = async (): Promise<void> => {
    const member = await startMember('sell', nats.url(), url, {
      ...only,
      PERPMETER_PAYMENTS_MODE: 'remote',
      PAY_TO_ADDRESS: seller.payTo,
      PAYMENT_NETWORK: seller.network.id,
      PERPMETER_BASE_URL: seller.baseUrl,
      FACILITATOR_URL: facilitator.url,
      LEDGER_URL: ledger.url('scale'),
      RECEIPT_KEYS_FILE: ledger.besides('receipt-keys.json'),
    });
    ends.unshift(() => member.stop());
    await untilServed(member, VENUES.length);
    sellers.push(member);
  };
  return { add, wallet };
}

const portOf = ({ url }: FeedMember): number => Number(new URL(url).port);

/** Gives each seller its share of a core. */
function holdAll(): readonly ChildProcess[] {
  return sellers.map(({ pid }) => {
    const args = [String(pid), String(SHARE)];
    const child = fork(new URL('../test/soak/cpu-share.ts', import.meta.url), args);
    ends.unshift(() => child.connected && child.disconnect());
    return child;
  });
}

/** The same number of payments at each seller, which holds nothing back. */
async function warmUp(wallet: Wallet): Promise<void> {
  for (const one of sellers) {
    const port = portOf(one);
    await buyAll(port, await requestsOf({ port }, wallet, WARM_UP), CONNECTIONS);
  }
}

interface Step {
  readonly sellers: number;
  readonly perSecond: number;
  /** CPU of all sellers, of a core, while they sold. */
  readonly used: number;
}

/** Every seller is paid so many times, all at once. */
async function round(wallet: Wallet): Promise<Step> {
  const orders: (readonly Buffer[])[] = [];
  for (const one of sellers) orders.push(await requestsOf({ port: portOf(one) }, wallet, PAYMENTS));
  const used = (): number => sellers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const before = used();
  const began = performance.now();
  const all = await Promise.all(
    sellers.map((seller, i) => buyAll(portOf(seller), orders[i] ?? [], CONNECTIONS)),
  );
  const seconds = (performance.now() - began) / 1000;
  const sold = all.reduce((sum, { statuses }) => sum + (statuses.get(200) ?? 0), 0);
  const asked = sellers.length * PAYMENTS;
  if (sold !== asked)
    throw new Error(`${sold} of ${asked}: ${JSON.stringify(all.map(({ statuses }) => [...statuses]))}`);
  return { sellers: sellers.length, perSecond: sold / seconds, used: (used() - before) / seconds };
}

try {
  const { add, wallet } = await startShared();
  console.log(`${describeMachine()}; ${SHARE} of a core for each seller`);
  console.log('sellers  payments/s  of one  cores of sellers');
  const steps: Step[] = [];
  for (const count of SELLERS) {
    while (sellers.length < count) await add();
    await warmUp(wallet);
    const holders = holdAll();
    await round(wallet);
    const rounds: Step[] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await round(wallet));
    for (const holder of holders) holder.disconnect();
    const perSecond = median(rounds.map((round) => round.perSecond));
    const step = { sellers: count, perSecond, used: median(rounds.map(({ used }) => used)) };
    steps.push(step);
    const ratio = perSecond / (steps[0]?.perSecond ?? Number.NaN);
    console.log(
      `${String(count).padStart(7)} ${perSecond.toFixed(0).padStart(11)} ${ratio.toFixed(2).padStart(7)} ${step.used.toFixed(2).padStart(17)}`,
    );
  }
  const of = (count: number): number =>
    steps.find(({ sellers }) => sellers === count)?.perSecond ?? Number.NaN;
  const missed = printBars([
    { name: 'two sellers, of one', value: of(2) / of(1), sign: '>=', bar: MIN_OF_TWO },
  ]);
  if (missed > 0) process.exitCode = 1;
} finally {
  for (const end of ends) await end();
}
