/**
 * Requests per CPU-second of the HTTP surface against Node's bare server with the same bytes and headers.
 * `npm run bench:http`; exit 1 where a bar is missed. BENCH_ROUNDS and BENCH_SLICES shorten it for a look.
 */

import { answerHelp } from '../scripts/usage.ts';
import {
  type Bar,
  bareTwin,
  type Case,
  describeRun,
  type Round,
  ratiosOf,
  report,
  startLoads,
  startServer,
  validRound,
} from './http/rounds.ts';

answerHelp();

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const CURRENT = '/v1/funding/current?limit=100';
const CHALLENGED = '/v1/funding/current';

/** True where every bar is met. */
function judge(bars: readonly Bar[], rounds: readonly Round[]): boolean {
  const results = ratiosOf(bars, rounds);
  const met = results.every(({ ratio, least }) => ratio >= least);
  const parts = results.map(
    ({ name, ratio, least }) => `${name} ${ratio.toFixed(2)} (bar ${least.toFixed(2)})`,
  );
  console.log(`bench:http ${met ? 'PASS' : 'FAIL'} ${parts.join(', ')}`);
  return met;
}

async function main(): Promise<boolean> {
  const off = await startServer({ kind: 'start', role: 'off' });
  const paid = await startServer({ kind: 'start', role: 'paid' });
  const bareCurrent = await bareTwin(off, CURRENT);
  const bareChallenge = await bareTwin(paid, CHALLENGED);
  const loads = startLoads();

  const current = { name: 'funding/current?limit=100', server: off, path: CURRENT, gzip: false, status: 200 };
  const packed = { ...current, name: 'the same, gzip', gzip: true };
  const bare = { ...current, name: 'bare node:http, same bytes', server: bareCurrent };
  const challenge = { name: '402 challenge', server: paid, path: CHALLENGED, gzip: false, status: 402 };
  const bare402 = { ...challenge, name: 'bare node:http, same 402', server: bareChallenge };
  const cases: readonly Case[] = [bare, current, packed, bare402, challenge];
  const bars: readonly Bar[] = [
    { name: 'funding/current : bare', of: current, against: bare, least: 0.9 },
    { name: 'funding/current gzip : bare identity', of: packed, against: bare, least: 1 },
    { name: '402 : bare', of: challenge, against: bare402, least: 1 },
  ];

  const rounds: Round[] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await validRound(loads, cases));
  for (const { child } of [off, paid, bareCurrent, bareChallenge]) child.disconnect();
  for (const load of loads) load.disconnect();

  console.log(describeRun(ROUNDS));
  report(cases, rounds);
  return judge(bars, rounds);
}

process.exitCode = (await main()) ? 0 : 1;
