/**
 * Requests per CPU-second of the HTTP surface against Node's bare server with the same bytes and headers.
 * `npm run bench http`; exit 1 where a bar is missed. BENCH_STARTS, BENCH_ROUNDS and BENCH_SLICES shorten
 * it for a look.
 */
import type { ChildProcess } from 'node:child_process';
import { answerHelp } from '../scripts/usage.ts';
import {
  type Bar,
  bareTwin,
  type Case,
  describeRun,
  type Round,
  ratiosOf,
  report,
  startLoad,
  startServer,
  validRound,
} from './http/rounds.ts';

answerHelp();

/**
 * The speed of one process, also of the bare one, differs by half from start to start, and stays so for its
 * life.
 */
const STARTS = Number(process.env.BENCH_STARTS ?? 5);
/** Of each start. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2);
const CURRENT = '/v1/funding/current?limit=100';
const CHALLENGED = '/v1/funding/current';

/** True where every bar is met. */
function judge(bars: readonly Bar[], rounds: readonly Round[]): boolean {
  const results = ratiosOf(bars, rounds);
  const met = results.every(({ ratio, least }) => ratio >= least);
  const parts = results.map(
    ({ name, ratio, least }) => `${name} ${ratio.toFixed(2)} (bar ${least.toFixed(2)})`,
  );
  console.log(`bench http ${met ? 'PASS' : 'FAIL'} ${parts.join(', ')}`);
  return met;
}

const NAMES = {
  bare: 'bare node:http, same bytes',
  current: 'funding/current?limit=100',
  packed: 'the same, gzip',
  bare402: 'bare node:http, same 402',
  challenge: '402 challenge',
} as const;
const BARS: readonly Bar[] = [
  { name: 'funding/current : bare', of: NAMES.current, against: NAMES.bare, least: 0.9 },
  { name: 'funding/current gzip : bare identity', of: NAMES.packed, against: NAMES.bare, least: 1 },
  { name: '402 : bare', of: NAMES.challenge, against: NAMES.bare402, least: 1 },
];

/** Rounds of servers that are started for them, after one that warms them up. */
async function roundsOfStart(load: ChildProcess): Promise<readonly Round[]> {
  const off = await startServer({ kind: 'start', role: 'off' });
  const paid = await startServer({ kind: 'start', role: 'paid' });
  const bareCurrent = await bareTwin(off, CURRENT);
  const bareChallenge = await bareTwin(paid, CHALLENGED);
  const current = { name: NAMES.current, server: off, path: CURRENT, gzip: false, status: 200 };
  const challenge = { name: NAMES.challenge, server: paid, path: CHALLENGED, gzip: false, status: 402 };
  const cases: readonly Case[] = [
    { ...current, name: NAMES.bare, server: bareCurrent },
    current,
    { ...current, name: NAMES.packed, gzip: true },
    { ...challenge, name: NAMES.bare402, server: bareChallenge },
    challenge,
  ];
  await validRound(load, cases);
  const rounds: Round[] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await validRound(load, cases));
  for (const { child } of [off, paid, bareCurrent, bareChallenge]) child.disconnect();
  return rounds;
}

async function main(): Promise<boolean> {
  const load = startLoad();
  const rounds: Round[] = [];
  for (let i = 0; i < STARTS; i++) rounds.push(...(await roundsOfStart(load)));
  load.disconnect();
  console.log(`${STARTS} starts; ${describeRun(rounds.length)}`);
  report(rounds);
  return judge(BARS, rounds);
}

process.exitCode = (await main()) ? 0 : 1;
