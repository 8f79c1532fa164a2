/**
 * CPU of a sale by payment channel: against the official server of @x402 on express, and against our own `exact`, with a
 * facilitator and a node over HTTP that answer at once; and the time of such a sale beside that of the same answer for nothing.
 * `npm run bench channel`; exit 1 where a bar is missed. BENCH_ROUNDS and BENCH_PAYMENTS shorten it for a look.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, printBars } from '../scripts/bars.ts';
import { answerHelp } from '../scripts/usage.ts';
import { flushTimes } from './channel/bare-flush.ts';
import { ChannelWallet, type OpenChannel } from './channel/channel-wallet.ts';
import { type StubChain, startStubChain } from './channel/stub-chain.ts';
import { describeMachine } from './machine.ts';
import { countRounds, endOf, leastP99, ratioOf } from './pay/count-rounds.ts';
import {
  boughtBody,
  buyFrom,
  buyPaced,
  type Contender,
  challengeOf,
  type PayCount,
  requestWith,
  sellInTurn,
  sellSlice,
  startContender,
} from './pay/paid-round.ts';
import { benchSeller } from './pay/terms.ts';
import { Wallet } from './pay/wallet.ts';

answerHelp();

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
/** Payments of a round, for each contender. */
const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 3000);
/** As many buyers at once, each with one channel; those of `exact` come over as many connections. */
const CHANNELS = 128;
const ACCOUNTS = 64;
/** Answers that are timed in a short round, and short rounds in the place of a round. */
const TIMED = 200;
const TIMED_ROUNDS = 3;
/** Connections that buy side by side, and the pause in which each sends one request: 500 answers a second, of either kind. */
const SIDE_BY_SIDE = 32;
const PACE_MS = 64;
const PACED = 10;
const BARS = { official: 8, exact: 5, p99: 3 } as const;

interface Sellers {
  readonly channel: Contender;
  readonly official: Contender;
  readonly exact: Contender;
  readonly free: Contender;
}

async function startSellers(folder: string, chain: StubChain): Promise<Sellers> {
  const facilitator = chain.facilitator.url;
  const order = { kind: 'sell', by: 'ours', receipts: false, facilitator, node: chain.node.url } as const;
  const exact = await startContender('ours, exact', {
    ...order,
    folder: join(folder, 'exact'),
  });
  const body = await boughtBody(exact, await Wallet.open(benchSeller(), 1));
  const [channel, official, free] = await Promise.all([
    startContender('ours, channel', { ...order, folder: join(folder, 'channel'), channels: true }),
    startContender('@x402/express, channel', { kind: 'sell', by: 'official', body, channelsBy: facilitator }),
    startContender('ours, free', { kind: 'sell', by: 'free' }),
  ]);
  return { channel, official, exact, free };
}

/** So many vouchers, one list for each channel. */
async function vouchers(channels: readonly OpenChannel[], payments: number): Promise<readonly Buffer[][]> {
  const each = Math.ceil(payments / channels.length);
  return Promise.all(
    channels.map(async (channel) => {
      const requests: Buffer[] = [];
      for (let i = 0; i < each; i++) requests.push(requestWith(await channel.next()));
      return requests;
    }),
  );
}

type Channels = ReadonlyMap<Contender, readonly OpenChannel[]>;

const openChannels = async (sellers: readonly Contender[], wallet: ChannelWallet): Promise<Channels> =>
  new Map(
    await Promise.all(
      sellers.map(async (seller) => [seller, wallet.channelsOf(await challengeOf(seller))] as const),
    ),
  );

async function measureCpu(
  { channel, official, exact }: Sellers,
  channels: Channels,
): Promise<readonly Measured[]> {
  const wallet = await Wallet.open(benchSeller(), ACCOUNTS);
  const slice = async (seller: Contender, payments: number): Promise<PayCount> => {
    const open = channels.get(seller);
    return open === undefined
      ? sellSlice(seller, wallet, payments)
      : sellInTurn(seller, await vouchers(open, payments));
  };
  const contenders = [official, exact, channel];
  const counts = await countRounds({ contenders, rounds: ROUNDS, payments: PAYMENTS, slice });
  return [
    {
      name: 'CPU, official server : ours',
      value: ratioOf(counts, channel, official),
      sign: '>=',
      bar: BARS.official,
    },
    {
      name: 'CPU, our exact : our channel',
      value: ratioOf(counts, channel, exact),
      sign: '>=',
      bar: BARS.exact,
    },
  ];
}

/** One after the other on one connection; beside it what the disk takes for a flush alone. */
async function measureTime(
  { channel, free }: Sellers,
  channels: readonly OpenChannel[],
  folder: string,
): Promise<Measured> {
  const first = channels.slice(0, 1);
  const unpaid = Array.from({ length: TIMED }, () => requestWith());
  const [sold = Number.NaN, given = Number.NaN, flushed = Number.NaN] = await leastP99(
    ROUNDS * TIMED_ROUNDS,
    [
      async () => buyFrom(channel, (await vouchers(first, TIMED)).flat(), 1),
      () => buyFrom(free, unpaid, 1),
      () => flushTimes(folder, TIMED),
    ],
  );
  console.log(
    `p99, one at a time: ${sold.toFixed(2)} ms of a sale, ${given.toFixed(2)} ms of the free answer, ` +
      `${flushed.toFixed(2)} ms of a bare flush to the same disk (two a sale)`,
  );
  return { name: 'p99, sale : free answer', value: sold / given, sign: '<=', bar: BARS.p99 };
}

/** As many of either kind at once and as often; no bar is judged by it. */
async function showTimeAtPace({ channel, free }: Sellers, channels: readonly OpenChannel[]): Promise<void> {
  const some = channels.slice(0, SIDE_BY_SIDE);
  const unpaid = some.map(() => Array.from({ length: PACED }, () => requestWith()));
  const [sold = Number.NaN, given = Number.NaN] = await leastP99(ROUNDS * TIMED_ROUNDS, [
    async () => buyPaced(channel, await vouchers(some, SIDE_BY_SIDE * PACED), PACE_MS),
    () => buyPaced(free, unpaid, PACE_MS),
  ]);
  const load = Math.round((1000 * SIDE_BY_SIDE) / PACE_MS);
  console.log(
    `p99, ${SIDE_BY_SIDE} connections, ${load} a second: ${sold.toFixed(2)} ms of a sale, ` +
      `${given.toFixed(2)} ms of the free answer, ratio ${(sold / given).toFixed(2)} (no bar)`,
  );
}

async function main(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-bench-channel-'));
  const chain = await startStubChain(benchSeller());
  try {
    console.log(describeMachine());
    const sellers = await startSellers(folder, chain);
    const wallet = await ChannelWallet.open(benchSeller(), CHANNELS);
    const channels = await openChannels([sellers.channel, sellers.official], wallet);
    const ofOurs = channels.get(sellers.channel) ?? [];
    const bars = [...(await measureCpu(sellers, channels)), await measureTime(sellers, ofOurs, folder)];
    await showTimeAtPace(sellers, ofOurs);
    endOf(Object.values(sellers));
    const missed = printBars(bars);
    const parts = bars.map(({ name, value, bar }) => `${name} ${value.toFixed(2)} (bar ${bar})`);
    console.log(`bench channel ${missed === 0 ? 'PASS' : 'FAIL'} ${parts.join(', ')}`);
    return missed === 0;
  } finally {
    chain.facilitator.stop();
    chain.node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
