/**
 * Measures the size of history and the speed of its answers, at 9,000 series of one-minute steps from the
 * simulated world, warm and with the minute's rows being written. `npm run bench history -- --help`; exit 1
 * where a bar is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/domain/clock.ts';
import { DEFAULT_DATABASE } from '../src/history/open-store.ts';
import { HistoryReader } from '../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../src/history/retention.ts';
import { tableText } from '../src/host/process/table-text.ts';
import { nextMinute, openBenchHistory } from './history/bench-history.ts';
import { valueIn } from './history/load.ts';
import { watchLoop } from './history/loop-watch.ts';
import { BARE_BAR, bareClient, baselineQuestion, type Question, questionsOf } from './history/questions.ts';
import { benchWorld, buildSeries } from './history/series.ts';
import { bytesPerRow } from './history/size.ts';
import { startWriter } from './history/writer.ts';

const BLOCK_BAR_MS = 50;
const VALUE_BYTES_BAR = 16;
const ALL_BYTES_BAR = 48;

const { values: args } = parseArgs({
  options: {
    days: { type: 'string', default: process.env.CI === undefined ? '30' : '7' },
    series: { type: 'string', default: '9000' },
    rounds: { type: 'string', default: '200' },
    dir: { type: 'string' },
    'load-only': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const rounds = Number(args.rounds);
const USAGE = `Usage: npm run bench history -- [options]

  --days <n>     days of samples to load (30; 7 where CI is set)
  --series <n>   contracts, one sample a minute each (9000)
  --rounds <n>   times that each question is asked (200)
  --dir <path>   folder that keeps the loaded past: a later run with the same days and series uses it again;
                 without it a folder under ${tmpdir()} is used and removed
  --load-only    load, and ask nothing
  --help         this text

Exit code 1 where a bar is missed.
`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Times {
  readonly p50: number;
  readonly p99: number;
}

function quantiles(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (q: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

async function timed(work: () => Promise<number>): Promise<{ readonly ms: number; readonly rows: number }> {
  const start = performance.now();
  const rows = await work();
  return { ms: performance.now() - start, rows };
}

interface Line {
  readonly cells: readonly string[];
  readonly missed: readonly string[];
}

/** Asks the product and the bare client in turn, each first every other time. */
async function measure(question: Question, bare: Awaited<ReturnType<typeof bareClient>>): Promise<Line> {
  const ours: number[] = [];
  const theirs: number[] = [];
  let rows = 0;
  for (let round = -10; round < question.rounds; round++) {
    const seed = round + 10;
    const asks = [
      async () => {
        const { ms, rows: got } = await timed(() => question.ask(seed));
        rows += got;
        if (round >= 0) ours.push(ms);
      },
      async () => {
        const { ms } = await timed(() => bare.ask(question.sql(seed)));
        if (round >= 0) theirs.push(ms);
      },
    ];
    if (round % 2 === 0) asks.reverse();
    for (const ask of asks) await ask();
  }
  const own = quantiles(ours);
  const other = quantiles(theirs);
  const ratio = own.p50 / other.p50;
  const missed = [
    ...(question.p50BarMs !== undefined && own.p50 > question.p50BarMs
      ? [`${question.name}: p50 ${own.p50.toFixed(1)} ms`]
      : []),
    ...(question.p99BarMs !== undefined && own.p99 > question.p99BarMs
      ? [`${question.name}: p99 ${own.p99.toFixed(1)} ms`]
      : []),
    ...(ratio > BARE_BAR ? [`${question.name}: ${ratio.toFixed(2)} of the bare client`] : []),
    ...(rows === 0 ? [`${question.name}: no rows`] : []),
  ];
  const bars = `${question.p50BarMs ?? '-'} / ${question.p99BarMs ?? '-'}`;
  const figures = [own.p50, own.p99, other.p50, other.p99].map((ms) => ms.toFixed(1));
  return { cells: [question.name, ...figures, ratio.toFixed(2), bars], missed };
}

async function run(dir: string, days: number): Promise<readonly string[]> {
  const world = benchWorld();
  const series = buildSeries(world, Number(args.series));
  const { store, path, rollUps, from, to } = await openBenchHistory({ dir, days, series, say });
  if (args['load-only']) {
    await store.close();
    return [];
  }
  say('');
  const size = await bytesPerRow(store);
  const reader = () =>
    new HistoryReader({
      store,
      clock: systemClock,
      // A past that was loaded days ago is still there.
      retention: { ...DEFAULT_RETENTION, sampleDays: 400 },
      rolledTo: () => rollUps.rolledTo,
    });
  const bare = await bareClient(path, DEFAULT_DATABASE);
  const writer = startWriter(store, world, series, await nextMinute(store));
  const loop = watchLoop();
  const lines: Line[] = [];
  const kept = reader();
  for (const question of questionsOf({ reader: kept, series, from, to, rounds }))
    lines.push(await measure(question, bare));
  lines.push(await measure(baselineQuestion(reader, rollUps.rolledTo), bare));
  valueIn(await kept.baselines());
  const cached = await timed(async () => valueIn(await kept.baselines()).list.length);
  const { late, worked } = loop.stop();
  const written = await writer.stop();
  await bare.close();
  await store.close();
  const result: Result = { lines, size, cached, written, late, worked };
  print(result);
  return missedBars(result);
}

interface Result {
  readonly lines: readonly Line[];
  readonly size: Awaited<ReturnType<typeof bytesPerRow>>;
  /** The baselines, asked again. */
  readonly cached: Awaited<ReturnType<typeof timed>>;
  readonly written: Awaited<ReturnType<ReturnType<typeof startWriter>['stop']>>;
  /** The longest that the event loop was blocked, and at work without a pause, ms. */
  readonly late: number;
  readonly worked: number | undefined;
}

function print({ lines, size, cached, written, late, worked }: Result): void {
  process.stdout.write(
    tableText(
      ['question', 'p50 ms', 'p99', 'bare p50', 'bare p99', 'ratio', 'bars p50 / p99'],
      lines.map(({ cells }) => cells),
    ),
  );
  process.stdout.write(
    `\nvolume-anomalies again, kept: ${cached.ms.toFixed(2)} ms for ${cached.rows} contracts\n` +
      `bytes a row: ${size.values.toFixed(1)} rate, mark, index, open interest and volume (bar ${VALUE_BYTES_BAR}); ` +
      `${size.keys.toFixed(1)} key and times; ${size.book.toFixed(1)} book; ${size.shown.toFixed(1)} shown beside; ${size.all.toFixed(1)} in all (bar ${ALL_BYTES_BAR})\n` +
      `written meanwhile: ${written.rows} rows in ${written.batches} batches, p50 ${written.p50.toFixed(0)} ms\n` +
      `event loop blocked at most ${late.toFixed(1)} ms (bar ${BLOCK_BAR_MS}); at work at most ${worked?.toFixed(1) ?? '?'} ms without a pause\n`,
  );
}

function missedBars({ lines, size, cached, late }: Result): readonly string[] {
  return [
    ...lines.flatMap(({ missed }) => missed),
    ...(size.values + size.keys > VALUE_BYTES_BAR
      ? [`${(size.values + size.keys).toFixed(1)} bytes a row without books`]
      : []),
    ...(size.all > ALL_BYTES_BAR ? [`${size.all.toFixed(1)} bytes a row`] : []),
    ...(late > BLOCK_BAR_MS ? [`event loop blocked ${late.toFixed(1)} ms`] : []),
    ...(cached.ms > 5 ? ['volume-anomalies is not kept'] : []),
  ];
}

async function main(): Promise<number> {
  const days = Number(args.days);
  const dir = args.dir ?? mkdtempSync(join(tmpdir(), 'perpmeter-bench-history-'));
  try {
    const missed = await run(dir, days);
    if (!args['load-only']) say(missed.length === 0 ? 'every bar is met' : `missed: ${missed.join('; ')}`);
    return missed.length === 0 ? 0 : 1;
  } finally {
    if (args.dir === undefined) rmSync(dir, { recursive: true, force: true });
  }
}

if (args.help) process.stdout.write(USAGE);
else process.exitCode = await main();
