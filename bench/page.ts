/**
 * The page in a real Chromium over the demo: how soon it is there, what an update of the funding matrix costs its main
 * thread, how it scrolls, and whether its memory stays. `npm run bench page [-- --public URL --operator URL]`: without
 * addresses it starts a demo of its own; exit 1 where a bar is missed. BENCH_MINUTES (of updates, default 10) shortens
 * it for a look.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { FundingCurrentAnswer } from '../packages/client/src/routes.ts';
import { type Measured, printBars } from '../scripts/bars.ts';
import { startDemo, stopDemo, untilBackfilled } from '../scripts/with-demo.ts';
import { type MemoryPoint, type MemoryTrend, memoryTrend } from '../test/soak/memory-trend.ts';
import { readOptions } from '../test/soak/options.ts';
import { openBrowser } from '../test/web/browser.ts';
import { memoryReader } from './page/memory.ts';
import { type UpdateCost, updateCosts } from './page/trace.ts';
import { median, quantile } from './statistics.ts';

const asked = readOptions({ public: { type: 'string' }, operator: { type: 'string' } });

const MINUTES = Number(process.env.BENCH_MINUTES ?? 10);
const LOADS = 7;
const UPDATES_MS = Math.min(60_000, MINUTES * 30_000);
const SCROLLS = 8;
const WINDOW = { width: 1440, height: 900 };
/** Assets and venues that the matrix has at least; updates of the largest so many assets are measured beside all. */
const MIN_SIZE = { assets: 300, venues: 33 };
const MEMORY_EVERY_MS = 10_000;
/** Caches fill at first. */
const WARM_UP_MINUTES = 1;
/** Growth is given for so long. */
const STEADY_MINUTES = 10;

/** Notes when the matrix is there: its canvas has been painted, and the main thread has taken what came after. */
const WATCH = `new MutationObserver((_, observer) => {
  const canvas = document.querySelector('.grid-body canvas');
  const assets = Number(/Matrix of (\\d+)/.exec(canvas?.getAttribute('aria-label') ?? '')?.[1]);
  if (!(assets >= ${MIN_SIZE.assets})) return;
  observer.disconnect();
  const port = new MessageChannel();
  port.port1.onmessage = () => { window.interactive = { assets, at: performance.now() }; };
  requestAnimationFrame(() => requestAnimationFrame(() => port.port2.postMessage(0)));
}).observe(document, { childList: true, subtree: true, attributes: true });`;
/** Waits in the page until an expression has a value; its policy evaluates no text. */
const until = (expression: string): string => `new Promise((resolve) => {
  (function look() {
    const value = ${expression};
    if (value === undefined) setTimeout(look, 20); else resolve(value);
  })();
})`;
const FIRST_PAINT = until("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
/** Times between frames while the matrix is scrolled. */
const FRAMES = `window.frames_ = []; (function frame(before) {
  requestAnimationFrame((now) => { if (before) frames_.push(now - before); frame(now); });
})();`;
/** Something fixed: numbers to text, in order, and back. */
const FIXED = `(() => {
  const began = performance.now();
  const rows = Array.from({ length: 40000 }, (_, at) => ({ key: String((at * 7919) % 40009), value: at / 7 }));
  rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  JSON.parse(JSON.stringify(rows));
  return performance.now() - began;
})()`;

interface Load {
  readonly paintMs: number;
  readonly interactiveMs: number;
  readonly assets: number;
}

/** A visit that begins with nothing: no cache, no connection. */
async function load(browser: Browser, bases: { public: string; operator: string }): Promise<Load> {
  const context = await browser.newContext({ viewport: WINDOW });
  try {
    const home = await context.newPage();
    await home.goto(bases.public);
    const paintMs = Number(await home.evaluate(FIRST_PAINT));
    await home.close();
    const matrix = await context.newPage();
    await matrix.addInitScript(WATCH);
    await matrix.goto(`${bases.operator}/#/matrix`);
    const seen = (await matrix.evaluate(until('window.interactive'))) as { at: number; assets: number };
    return { paintMs, interactiveMs: seen.at, assets: seen.assets };
  } finally {
    await context.close();
  }
}

/** Scrolls the matrix down and up, and aside; times between its frames, ms. */
async function scroll(page: Page, session: CDPSession): Promise<readonly number[]> {
  await page.evaluate(FRAMES);
  const gesture = { x: 700, y: 600, speed: 4000, gestureSourceType: 'mouse' } as const;
  for (let at = 0; at < SCROLLS; at += 1) {
    const far = at % 2 === 0 ? -4000 : 4000;
    await session.send('Input.synthesizeScrollGesture', { ...gesture, yDistance: far });
    await session.send('Input.synthesizeScrollGesture', { ...gesture, xDistance: far / 4 });
  }
  return (await page.evaluate('frames_')) as readonly number[];
}

/** Memory after each collection of garbage, while updates come. */
async function watchMemory(read: () => Promise<number>): Promise<readonly MemoryPoint[]> {
  const points: MemoryPoint[] = [];
  const began = Date.now();
  const minute = (): number => (Date.now() - began) / 60_000;
  while (minute() < MINUTES) {
    await wait(Math.min(MEMORY_EVERY_MS, MINUTES * 6000));
    points.push({ minute: minute(), mb: await read() });
  }
  return points.filter((point) => point.minute > Math.min(WARM_UP_MINUTES, MINUTES / 5));
}

/** Open interest that no more assets than `count` have, USD: a reader's filter, which leaves the largest. */
async function leastOpenInterest(base: string, count: number): Promise<number> {
  const sums = new Map<string, number>();
  for (let offset = 0, more = true; more; offset += 1000) {
    const path = `/v1/funding/current?include_uncomparable=true&limit=1000&offset=${offset}`;
    const page = (await (await fetch(base + path)).json()) as FundingCurrentAnswer;
    for (const { canonical_id: id, open_interest: usd } of page.rates)
      sums.set(id, (sums.get(id) ?? 0) + (usd ?? 0));
    more = page.has_more;
  }
  // A little lower: open interest moves, and fewer assets would be easier.
  return Math.floor(([...sums.values()].toSorted((a, b) => b - a)[count] ?? 0) * 0.95);
}

/** Opens the matrix, and says how large it is. */
async function openMatrix(page: Page, base: string, query = ''): Promise<{ assets: number; venues: number }> {
  await page.goto(`${base}/#/matrix${query}`);
  const status = page.getByText(/^[\d,]+ assets, [\d,]+ venues/);
  const [assets = 0, venues = 0] = ((await status.textContent()) ?? '')
    .replaceAll(',', '')
    .split(/\D+/)
    .map(Number);
  return { assets, venues };
}

async function measure(browser: Browser, bases: { public: string; operator: string }): Promise<boolean> {
  // The first visit of a browser starts processes.
  await load(browser, bases);
  const loads: Load[] = [];
  for (let at = 0; at < LOADS; at += 1) loads.push(await load(browser, bases));
  const page = await browser.newPage({ viewport: WINDOW });
  const least = await leastOpenInterest(bases.operator, MIN_SIZE.assets);
  const part = await openMatrix(page, bases.operator, `?min_oi=${least}`);
  const fixed: number[] = [];
  const look = async (): Promise<void> => void fixed.push(Number(await page.evaluate(FIXED)));
  for (let at = 0; at < 5; at += 1) await look();
  await wait(2000);
  const partUpdates = await updateCosts(browser, page, () => wait(UPDATES_MS));
  await page.close();
  const wholePage = await browser.newPage({ viewport: WINDOW });
  const whole = await openMatrix(wholePage, bases.operator);
  const session = await wholePage.context().newCDPSession(wholePage);
  await wait(2000);
  const updates = await updateCosts(browser, wholePage, () => wait(UPDATES_MS));
  const frames = await scroll(wholePage, session);
  const memory = memoryTrend(await watchMemory(await memoryReader(session)));
  fixed.push(Number(await wholePage.evaluate(FIXED)));
  return report({ loads, part, whole, partUpdates, updates, frames, memory, fixed });
}

interface Size {
  readonly assets: number;
  readonly venues: number;
}

interface Measurement {
  readonly loads: readonly Load[];
  /** The matrix of the largest assets, and that of all. */
  readonly part: Size;
  readonly whole: Size;
  readonly partUpdates: readonly UpdateCost[];
  readonly updates: readonly UpdateCost[];
  readonly frames: readonly number[];
  readonly memory: MemoryTrend;
  readonly fixed: readonly number[];
}

const ms = (value: number): string => value.toFixed(1);

/** CPU of updates and, of the same, time with waiting for a core: p50 / p95. */
function updateText(updates: readonly UpdateCost[], { assets, venues }: Size): string {
  const cpu = updates.map(({ cpuMs }) => cpuMs);
  const wall = updates.map(({ wallMs }) => wallMs);
  const both = (values: readonly number[]): string =>
    `${ms(quantile(values, 0.5))} / ${ms(quantile(values, 0.95))} ms`;
  return `${updates.length} updates of ${assets} x ${venues}: CPU ${both(cpu)}, with waiting for a core ${both(wall)}`;
}

function report(of: Measurement): boolean {
  const { loads, part, whole, updates, partUpdates, frames, memory, fixed } = of;
  const p95 = (costs: readonly UpdateCost[]): number =>
    quantile(
      costs.map(({ cpuMs }) => cpuMs),
      0.95,
    );
  const paint = median(loads.map(({ paintMs }) => paintMs));
  const interactive = median(loads.map(({ interactiveMs }) => interactiveMs));
  const growth = (memory.percentAnHour / 60) * STEADY_MINUTES;
  const partMs = p95(partUpdates);
  const wholeMs = p95(updates);
  const frame = quantile(frames, 0.95);
  const bars: readonly Measured[] = [
    { name: 'first contentful paint, median, ms', value: paint, sign: '<=', bar: 1000 },
    { name: 'assets of the matrix', value: part.assets, sign: '>=', bar: MIN_SIZE.assets },
    { name: 'venues of the matrix', value: part.venues, sign: '>=', bar: MIN_SIZE.venues },
    { name: 'whole matrix interactive, median, ms', value: interactive, sign: '<=', bar: 1500 },
    { name: 'update, main thread CPU, p95, ms', value: partMs, sign: '<=', bar: 16 },
    { name: 'update of all assets, the same, ms', value: wholeMs, sign: '<=', bar: 16 },
    { name: 'frame while scrolling, p95, ms', value: frame, sign: '<=', bar: 50 },
    { name: 'memory in ten minutes, growth, %', value: growth, sign: '<=', bar: 5 },
  ];
  const missed = printBars(bars);
  console.log(`${updateText(partUpdates, part)}\n${updateText(updates, whole)}`);
  console.log(
    `${frames.length} frames, p50 ${ms(median(frames))} ms; page and worker hold ${ms(memory.mb)} MB, slope uncertain by ` +
      `${ms((memory.error / 60) * STEADY_MINUTES)} %`,
  );
  console.log(
    `bench page ${missed === 0 ? 'PASS' : 'FAIL'} paint ${paint.toFixed(0)} ms, matrix of ${whole.assets} x ` +
      `${whole.venues} interactive ${interactive.toFixed(0)} ms, update p95 ${ms(partMs)} ms of ${part.assets} x ${part.venues} ` +
      `(by the filter of open interest), ${ms(wholeMs)} ms of all, frame p95 ${ms(frame)} ms, memory ${growth.toFixed(1)} % in ` +
      `ten minutes (${MINUTES} watched); a fixed computation took ${ms(Math.min(...fixed))} ms at best, ` +
      `${ms(median(fixed))} ms at the median, on ${cpus().length} cores`,
  );
  return missed === 0;
}

const demo = asked.public === undefined ? await startDemo('0') : undefined;
// The first minute of a demo is that of its back-fill, which takes what the machine has.
if (demo !== undefined) await untilBackfilled('.', 'backfill_pct');
const said = demo === undefined ? {} : JSON.parse(readFileSync('var/demo.json', 'utf8'));
const browser = await openBrowser();
try {
  if (browser === undefined) throw new Error('no Chromium: apt-get install chromium-headless-shell');
  const bases = {
    public: String(asked.public ?? said.base_url),
    operator: String(asked.operator ?? said.operator_url),
  };
  process.exitCode = (await measure(browser, bases)) ? 0 : 1;
} finally {
  await browser?.close();
  if (demo !== undefined) await stopDemo(demo);
}
