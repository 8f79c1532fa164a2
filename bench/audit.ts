/**
 * Measures the cost of the rules of data quality beside decoding the same payloads, JSON.parse included, over
 * all simulated venues: the time that the live table takes longer for patches that are judged, and a minute's
 * judgement of all contracts, spread over the payloads of a minute. `npm run bench audit`; exit 1 where the
 * rules cost more than 5 % of decoding, or the second reader, ccxt's calls included, more than 5 % of a rate
 * limit of any venue in a simulated hour, or a report of ninety days of all venues 50 ms (p99). BENCH_ROUNDS
 * shortens it for a look.
 */

import { loadavg } from 'node:os';
import { answerHelp } from '../scripts/usage.ts';
import { tableText } from '../src/host/process/table-text.ts';
import { MAX_INCIDENTS } from '../src/modules/audit/incidents/incidents.ts';
import { reportSpeeds } from './audit/reports.ts';
import { ruleCosts } from './audit/rules.ts';
import { secondReaderBudgets } from './audit/second-reader.ts';

answerHelp();

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
const BAR = 0.05;
const REPORT_MS = 50;
/** Rounds of a venue's calls in a minute at least: what a minute's judgement is spread over. */
const ROUNDS_A_MINUTE = 6;

const { venues, minute } = ruleCosts(ROUNDS);
console.log(
  tableText(
    ['venue', 'rows', 'decoding ms', 'rules ms', '%'],
    venues.map(({ id, rows, decode, rules }) => [
      ...[id, String(rows), decode.toFixed(2), rules.toFixed(3), ((rules / decode) * 100).toFixed(1)],
    ]),
  ),
);
const decode = venues.reduce((sum, venue) => sum + venue.decode, 0);
const patches = venues.reduce((sum, venue) => sum + venue.rules, 0);
const rules = patches + minute / ROUNDS_A_MINUTE;
const share = rules / decode;
console.log(
  `rules cost ${(share * 100).toFixed(1)} % of decoding (bar ${BAR * 100} %): ${rules.toFixed(1)} of ${decode.toFixed(1)} ms ` +
    `a round of all venues, patches ${patches.toFixed(1)} ms, a minute's judgement ${minute.toFixed(1)} ms; load ${(loadavg()[0] ?? 0).toFixed(1)}`,
);

const budgets = await secondReaderBudgets(1);
console.log(
  tableText(
    ['second reader', 'pool', 'looks', '% of the limit'],
    budgets.map(({ venue, pool, looks, share: used }) => [
      ...[venue, pool, String(looks), (used * 100).toFixed(1)],
    ]),
  ),
);
const [most] = budgets;
const used = most?.share ?? 0;
console.log(
  `the second reader takes at most ${(used * 100).toFixed(1)} % of a rate limit (bar ${BAR * 100} %): ${most?.pool} of ${most?.venue}, ` +
    `${most?.looks} looks in a simulated hour`,
);

const { speeds: reports, incidentsMb, textsMb } = await reportSpeeds(5 * ROUNDS);
console.log(
  tableText(
    ['report of 90 days', 'kB', 'first ms', 'p50 ms', 'p99 ms'],
    reports.map(({ request, kB, first, p50, p99 }) => [
      ...[request, kB.toFixed(0)],
      ...[first, p50, p99].map((ms) => ms.toFixed(1)),
    ]),
  ),
);
console.log(
  `${MAX_INCIDENTS} incidents, as many as are kept, take ${incidentsMb.toFixed(1)} MB, their texts ${textsMb.toFixed(1)} MB once asked for`,
);
const slowest = Math.max(...reports.map(({ p99 }) => p99));
console.log(
  `the slowest report takes ${slowest.toFixed(1)} ms (p99; bar ${REPORT_MS} ms); load ${(loadavg()[0] ?? 0).toFixed(1)}`,
);
process.exitCode = share < BAR && used <= BAR && slowest < REPORT_MS ? 0 : 1;
