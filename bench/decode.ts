/**
 * Rows per CPU second of decoding each venue's metrics at full size, and frames of its trades one by one, parsing
 * included, against JSON.parse of the same bytes in the same run. `npm run bench decode`; exit 1 where a bar is missed. BENCH_ROWS and BENCH_ROUNDS
 * shorten it for a look.
 */

import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { answerHelp } from '../scripts/usage.ts';
import { tableText } from '../src/host/process/table-text.ts';
import { parseFrame } from '../src/modules/events/parse-frame.ts';
import type { DecodeContext, VenueAdapter } from '../src/venues/adapter.ts';
import { VENUES } from '../src/venues/registry.ts';
import { enlarged } from '../test/venues/relisted-world.ts';
import { pairingsOf, type RecordedCall, runAdapter } from '../test/venues/sim-run.ts';
import { tradeFrames } from './decode/trade-frames.ts';
import { median } from './statistics.ts';

answerHelp();

/** Contracts of a venue: more than any has. */
const ROWS = Number(process.env.BENCH_ROWS ?? 3000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const WARM_UP = 2;
/** Parsing is repeated until it takes about this long, CPU ms. */
const LONG_ENOUGH_MS = 8;
/** Answers about one contract each that are measured of a call. */
const ONE_BY_ONE = 300;
const AT = Date.UTC(2026, 9, 20, 13, 20, 0);

const MEDIAN_BAR = 0.4;
const MIN_BAR = 0.2;

/** Frames of trades are small: parsing one is little beside anything that is done with it. */
const TRADES_MEDIAN_BAR = 0.15;
/** Frames of one kind in a round. */
const TRADE_FRAMES = 500;

interface Payload {
  readonly text: string;
  readonly parse: (text: string) => unknown;
  readonly decode: (payload: unknown, context: DecodeContext) => unknown;
  readonly context: DecodeContext;
}

/** One call or stream with its payloads of one round. */
interface Call {
  readonly venue: string;
  readonly name: string;
  readonly payloads: readonly Payload[];
  readonly bytes: number;
  readonly rows: number;
  readonly repeats: number;
  /** CPU ms of one pass, a value a round. */
  readonly parse: number[];
  readonly decode: number[];
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Keeps results reachable, so that no work can be left out. */
let kept: unknown;

function parseAll(payloads: readonly Payload[], times: number): void {
  for (let i = 0; i < times; i++) for (const { text } of payloads) kept = JSON.parse(text);
}

function decodeAll(payloads: readonly Payload[], times: number): void {
  for (let i = 0; i < times; i++) {
    for (const { text, parse, decode, context } of payloads) kept = decode(parse(text), context);
  }
}

/** The adapter with calls about single contracts cut to some. */
function shortened(adapter: VenueAdapter): VenueAdapter {
  const polls = adapter.polls.map((poll) => ({
    ...poll,
    requests: (plan: Parameters<typeof poll.requests>[0]) => poll.requests(plan).slice(0, ONE_BY_ONE),
  }));
  return { ...adapter, polls };
}

function callOf(venue: string, name: string, exchanges: readonly RecordedCall[]): Call {
  const payloads = exchanges.map(({ text, decode, context }) => ({
    text,
    parse: JSON.parse,
    decode,
    context,
  }));
  const rows = exchanges.reduce((sum, { decoded }) => sum + decoded.quotes.length, 0);
  return measurable(venue, name, payloads, rows);
}

function measurable(venue: string, name: string, payloads: readonly Payload[], rows: number): Call {
  const once = Math.max(
    0.01,
    cpuMs(() => parseAll(payloads, 1)),
  );
  return {
    venue,
    name,
    payloads,
    bytes: payloads.reduce((sum, { text }) => sum + text.length, 0),
    rows,
    repeats: Math.ceil(LONG_ENOUGH_MS / once),
    parse: [],
    decode: [],
  };
}

/** The metrics calls of every simulated venue, at full size. */
function metricsCalls(): Call[] {
  const world = enlarged(createWorld(1), ROWS);
  return pairingsOf(VENUES, SIM_VENUES, world, AT).flatMap((pairing) => {
    const { adapter } = pairing;
    const run = runAdapter({ ...pairing, adapter: shortened(adapter) }, world, AT);
    const metrics = run.calls.filter(
      ({ kind, decoded }) => kind !== 'instruments' && decoded.quotes.length > 0,
    );
    const nameOf = ({ name }: RecordedCall) => name.replace(/ (GET|POST) .*$/, '');
    const names = [...new Set(metrics.map(nameOf))];
    return names.map((name) =>
      callOf(
        adapter.id,
        name,
        metrics.filter((exchange) => nameOf(exchange) === name),
      ),
    );
  });
}

/** Frames of trades of every venue. */
const tradeCalls = (): Call[] =>
  tradeFrames(TRADE_FRAMES).map(({ venue, texts, decode, context, rows }) => {
    const payloads = texts.map((text) => ({ text, parse: parseFrame, decode, context }));
    return measurable(venue, 'trades', payloads, rows);
  });

function measure({ payloads, repeats, parse, decode }: Call, round: number): void {
  const parsing = () => cpuMs(() => parseAll(payloads, repeats)) / repeats;
  const decoding = () => cpuMs(() => decodeAll(payloads, repeats)) / repeats;
  // In turn first and second, so that neither always meets the garbage of the other.
  const [first, second] = round % 2 === 0 ? [parsing(), decoding()] : [decoding(), parsing()];
  if (round < 0) return;
  parse.push(round % 2 === 0 ? first : second);
  decode.push(round % 2 === 0 ? second : first);
}

interface Figure {
  readonly venue: string;
  readonly rows: number;
  readonly bytes: number;
  readonly rowsPerSecond: number;
  /** Speed of decoding as a share of the speed of JSON.parse. */
  readonly share: number;
  readonly slowest: string;
}

/** A venue's calls taken together: one round of all its metrics. */
function figureOf(venue: string, calls: readonly Call[]): Figure {
  const total = (of: (call: Call) => number) => calls.reduce((sum, call) => sum + of(call), 0);
  const decodeMs = total((call) => median(call.decode));
  const shares = calls.map((call) => [median(call.parse) / median(call.decode), call.name] as const);
  const [share, name] = shares.reduce((least, share) => (share[0] < least[0] ? share : least));
  return {
    venue,
    rows: total((call) => call.rows),
    bytes: total((call) => call.bytes),
    rowsPerSecond: (total((call) => call.rows) / decodeMs) * 1000,
    share: total((call) => median(call.parse)) / decodeMs,
    slowest: `${share.toFixed(2)} ${name}`,
  };
}

function print(figures: readonly Figure[]): void {
  const rows = figures.map(({ venue, rows, bytes, rowsPerSecond, share, slowest }) => [
    venue,
    String(rows),
    (bytes / 1e6).toFixed(1),
    String(Math.round(rowsPerSecond / 1000)),
    share.toFixed(2),
    slowest,
  ]);
  console.log(tableText(['venue', 'rows', 'MB', 'krows/s', 'of JSON.parse', 'slowest call'], rows));
}

/** Measures calls in turn and prints a line a venue. */
function figuresFor(calls: readonly Call[]): readonly Figure[] {
  for (let round = -WARM_UP; round < ROUNDS; round++) for (const call of calls) measure(call, round);
  const venues = [...new Set(calls.map(({ venue }) => venue))];
  const figures = venues.map((venue) =>
    figureOf(
      venue,
      calls.filter((call) => call.venue === venue),
    ),
  );
  print(figures);
  return figures;
}

const figures = figuresFor(metricsCalls());
if (kept === undefined) throw new Error('nothing was decoded');
const middle = median(figures.map(({ share }) => share));
const least = figures.reduce((a, b) => (b.share < a.share ? b : a));
const rows = figures.reduce((sum, figure) => sum + figure.rows, 0);
console.log(
  `decoding at ${middle.toFixed(2)} of the speed of JSON.parse on the median venue (bar ${MEDIAN_BAR}), ` +
    `${least.share.toFixed(2)} on the least, ${least.venue} (bar ${MIN_BAR}); ${figures.length} venues, ${rows} rows`,
);
const traded = figuresFor(tradeCalls());
const ofTrades = median(traded.map(({ share }) => share));
const slowest = Math.min(...traded.map(({ rowsPerSecond }) => rowsPerSecond));
console.log(
  `trades at ${ofTrades.toFixed(2)} of the speed of JSON.parse on the median venue (bar ${TRADES_MEDIAN_BAR}), ` +
    `${Math.round(slowest / 1000)} thousand a second on the least; ${traded.length} venues`,
);
const isFast = middle >= MEDIAN_BAR && least.share >= MIN_BAR && ofTrades >= TRADES_MEDIAN_BAR;
process.exitCode = isFast ? 0 : 1;
