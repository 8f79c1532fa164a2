/**
 * CPU of what payments cost: paid requests against the official middleware, receipts against none (also by the time of a
 * sale), and the facilitator of mode `self` against the official one. `npm run bench pay`; exit 1 where a bar is missed.
 * BENCH_ROUNDS and BENCH_PAYMENTS shorten it for a look. Challenges are measured by `npm run bench http`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerHelp } from '../scripts/usage.ts';
import type { BarRatio } from './http/rounds.ts';
import { describeMachine } from './machine.ts';
import { countRounds, endOf, leastP99, NOTHING, ratioOf } from './pay/count-rounds.ts';
import {
  boughtBody,
  type Contender,
  type PayCount,
  sellSlice,
  settleSlice,
  startContender,
  timedSlice,
} from './pay/paid-round.ts';
import { benchSeller } from './pay/terms.ts';
import { Wallet } from './pay/wallet.ts';
import { median } from './statistics.ts';

answerHelp();

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
/** Payments of a round, for each contender. */
const SOLD_PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 3000);
const FACILITATED_PAYMENTS = Math.ceil(SOLD_PAYMENTS / 5);
/** Sales that are timed in a short round, for each contender, and short rounds in the place of a round. */
const TIMED_PAYMENTS = 200;
const TIMED_ROUNDS = 3;
const ACCOUNTS = 64;
const BARS = { paid: 1.3, facilitator: 8 } as const;

interface Comparison {
  readonly name: string;
  readonly ours: Contender;
  readonly official: Contender;
  readonly least: number;
  /** Of a round, for each contender. */
  readonly payments: number;
  readonly slice: (contender: Contender, payments: number) => Promise<PayCount>;
}

/** As `countRounds`; the median of the ratios of their payments by CPU. */
async function runComparison(comparison: Comparison): Promise<BarRatio> {
  const { name, least, ours, official, payments, slice } = comparison;
  const contenders = [official, ours];
  const counts = await countRounds({ contenders, rounds: ROUNDS, payments, slice });
  endOf(contenders);
  return { name, least, ratio: ratioOf(counts, ours, official) };
}

/**
 * Measures the cost of offers and receipts: the same service with and without them, as a share of the
 * millisecond they may take.
 */
async function measureReceipts(folder: string): Promise<readonly BarRatio[]> {
  const wallet = await Wallet.open(benchSeller(), ACCOUNTS);
  const order = { kind: 'sell', by: 'ours' } as const;
  const [ours, official] = await Promise.all([
    startContender('with receipts', { ...order, folder: join(folder, 'with'), receipts: true }),
    startContender('without', { ...order, folder: join(folder, 'without'), receipts: false }),
  ]);
  const slice = (contender: Contender, payments: number): Promise<PayCount> =>
    sellSlice(contender, wallet, payments);
  const contenders = [official, ours];
  const rounds = await countRounds({ contenders, rounds: ROUNDS, payments: SOLD_PAYMENTS, slice });
  const msOf = (count = NOTHING): number => (count.cpuSeconds * 1000) / count.payments;
  const costs = rounds.map((round) => msOf(round.get(ours)) - msOf(round.get(official)));
  console.log(`receipts, CPU ms a sale: ${costs.map((ms) => ms.toFixed(3)).join(' ')}`);
  const time = (seller: Contender) => (): Promise<readonly number[]> =>
    timedSlice(seller, wallet, TIMED_PAYMENTS);
  const [timed = Number.NaN, without = Number.NaN] = await leastP99(ROUNDS * TIMED_ROUNDS, [
    time(ours),
    time(official),
  ]);
  endOf(contenders);
  console.log(`p99 of a sale: ${timed.toFixed(2)} ms with receipts, ${without.toFixed(2)} ms without`);
  const share = (ms: number): number => 1 / Math.max(ms, 0.001);
  return [
    { name: '1 ms : CPU of receipts of a sale', least: 1, ratio: share(median(costs)) },
    { name: '1 ms : p99 of receipts of a sale', least: 1, ratio: share(timed - without) },
  ];
}

/** Paid requests: the same payments and the same facilitator; ours also locks, and flushes its ledger. */
async function measureSales(folder: string): Promise<BarRatio> {
  const wallet = await Wallet.open(benchSeller(), ACCOUNTS);
  const ours = await startContender('paid request, flushed ledger', {
    kind: 'sell',
    by: 'ours',
    folder,
    receipts: false,
  });
  const body = await boughtBody(ours, wallet);
  const official = await startContender('@x402/express, no ledger', { kind: 'sell', by: 'official', body });
  if ((await boughtBody(official, wallet)) !== body) throw new Error('the two sell different answers');
  console.log(`Both sell ${Buffer.from(body, 'base64').length} bytes; ledger in ${folder}`);
  const slice = (contender: Contender, payments: number): Promise<PayCount> =>
    sellSlice(contender, wallet, payments);
  return runComparison({
    name: 'paid : @x402/express',
    ours,
    official,
    least: BARS.paid,
    payments: SOLD_PAYMENTS,
    slice,
  });
}

async function measureFacilitators(): Promise<BarRatio> {
  const ours = await startContender('self facilitator, verify + settle', { kind: 'facilitate', by: 'ours' });
  const official = await startContender('official facilitator, in process', {
    kind: 'facilitate',
    by: 'official',
  });
  return runComparison({
    name: 'self : official',
    ours,
    official,
    least: BARS.facilitator,
    payments: FACILITATED_PAYMENTS,
    slice: settleSlice,
  });
}

async function main(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-bench-pay-'));
  try {
    console.log(describeMachine());
    const results = [
      await measureSales(folder),
      ...(await measureReceipts(folder)),
      await measureFacilitators(),
    ];
    const met = results.every(({ ratio, least }) => ratio >= least);
    const parts = results.map(
      ({ name, ratio, least }) => `${name} ${ratio.toFixed(2)} (bar ${least.toFixed(2)})`,
    );
    console.log(`bench pay ${met ? 'PASS' : 'FAIL'} ${parts.join(', ')}`);
    return met;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
