/**
 * The page in a real Chromium over the demo: how soon it is there, what an update of the funding matrix costs its main
 * thread, how it scrolls, and whether its memory stays. `npm run bench:page [-- --public URL --operator URL]`: without
 * addresses it starts a demo of its own; exit 1 where a bar is missed. BENCH_MINUTES (of updates, default 10) shortens
 * it for a look.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { type Measured, printBars } from '../scripts/bars.ts';
import { startDemo, stopDemo } from '../scripts/with-demo.ts';
import { type MemoryPoint, type MemoryTrend, memoryTrend } from '../test/soak/memory-trend.ts';
import { readOptions } from '../test/soak/options.ts';
import { openBrowser } from '../test/web/browser.ts';
import { type UpdateCost, updateCosts } from './page/trace.ts';

const asked = readOptions({ public: { type: 'string' }, operator: { type: 'string' } });

const MINUTES = Number(process.env.BENCH_MINUTES ?? 10);
const LOADS = 7;
const UPDATES_MS = Math.min(60_000, MINUTES * 30_000);
const SCROLLS = 8;
const WINDOW = { width: 1440, height: 900 };
/** Assets and venues that the matrix has at least. */
const LEAST = { assets: 300, venues: 33 };
const MEMORY_EVERY_MS = 10_000;
/** Caches fill at first. */
const WARM_UP_MINUTES = 1;
/** Growth is given for so long. */
const STEADY_MINUTES = 10;

/** Notes when the matrix is there: its canvas has been painted, and the main thread has taken what came after. */
const WATCH = `new MutationObserver((_, observer) => {
  const canvas = document.querySelector('.grid-body canvas');
  const assets = Number(/Matrix of (\\d+)/.exec(canvas?.getAttribute('aria-label') ?? '')?.[1]);
  if (!(assets >= ${LEAST.assets})) return;
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

const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};

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

/** Memory of the page's own objects after each collection of garbage, while updates come. */
async function watchMemory(session: CDPSession): Promise<readonly MemoryPoint[]> {
  const points: MemoryPoint[] = [];
  const began = Date.now();
  const minute = (): number => (Date.now() - began) / 60_000;
  while (minute() < MINUTES) {
    await wait(Math.min(MEMORY_EVERY_MS, MINUTES * 6000));
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    points.push({ minute: minute(), mb: usedSize / 2 ** 20 });
  }
  return points.filter((point) => point.minute > Math.min(WARM_UP_MINUTES, MINUTES / 5));
}

async function measure(browser: Browser, bases: { public: string; operator: string }): Promise<boolean> {
  // The first visit of a browser starts processes.
  await load(browser, bases);
  const loads: Load[] = [];
  for (let at = 0; at < LOADS; at += 1) loads.push(await load(browser, bases));
  const page = await browser.newPage({ viewport: WINDOW });
  await page.goto(`${bases.operator}/#/matrix`);
  await page.locator('.grid-body canvas').waitFor();
  const health = (await (await fetch(`${bases.public}/v1/health`)).json()) as { venues: { live: number } };
  const venues = health.venues.live;
  const session = await page.context().newCDPSession(page);
  const fixed: number[] = [];
  const look = async (): Promise<void> => void fixed.push(Number(await page.evaluate(FIXED)));
  for (let at = 0; at < 5; at += 1) await look();
  await wait(2000);
  const updates = await updateCosts(browser, page, () => wait(UPDATES_MS));
  await look();
  const frames = await scroll(page, session);
  await look();
  const memory = memoryTrend(await watchMemory(session));
  await look();
  return report({ loads, venues, updates, frames, memory, fixed });
}

interface Measurement {
  readonly loads: readonly Load[];
  readonly venues: number;
  readonly updates: readonly UpdateCost[];
  readonly frames: readonly number[];
  readonly memory: MemoryTrend;
  readonly fixed: readonly number[];
}

function report({ loads, venues, updates, frames, memory, fixed }: Measurement): boolean {
  const at = (values: readonly number[], q: number): number => quantile(values, q);
  const cpu = updates.map(({ cpuMs }) => cpuMs);
  const paint = at(
    loads.map(({ paintMs }) => paintMs),
    0.5,
  );
  const interactive = at(
    loads.map(({ interactiveMs }) => interactiveMs),
    0.5,
  );
  const assets = Math.min(...loads.map((one) => one.assets));
  const growth = (memory.percentAnHour / 60) * STEADY_MINUTES;
  const bars: readonly Measured[] = [
    { name: 'first contentful paint, median, ms', value: paint, sign: '<=', bar: 1000 },
    { name: 'assets of the matrix', value: assets, sign: '>=', bar: LEAST.assets },
    { name: 'venues of the matrix', value: venues, sign: '>=', bar: LEAST.venues },
    { name: 'matrix interactive, median, ms', value: interactive, sign: '<=', bar: 1500 },
    { name: 'update, main thread CPU, p95, ms', value: at(cpu, 0.95), sign: '<=', bar: 16 },
    { name: 'frame while scrolling, p95, ms', value: at(frames, 0.95), sign: '<=', bar: 50 },
    { name: 'memory in ten minutes, growth, %', value: growth, sign: '<=', bar: 5 },
  ];
  const missed = printBars(bars);
  const wall = updates.map(({ wallMs }) => wallMs);
  const ms = (value: number): string => value.toFixed(1);
  console.log(
    `${updates.length} updates: CPU ${ms(at(cpu, 0.5))} / ${ms(at(cpu, 0.95))} ms, with waiting for a core ` +
      `${ms(at(wall, 0.5))} / ${ms(at(wall, 0.95))} ms (p50/p95); ${frames.length} frames, p50 ${ms(at(frames, 0.5))} ms; ` +
      `heap ${ms(memory.mb)} MB, slope uncertain by ${ms((memory.error / 60) * STEADY_MINUTES)} %`,
  );
  console.log(
    `bench:page ${missed === 0 ? 'PASS' : 'FAIL'} paint ${paint.toFixed(0)} ms, matrix of ${assets} x ` +
      `${venues} interactive ${interactive.toFixed(0)} ms, update p95 ${ms(at(cpu, 0.95))} ms, frame p95 ` +
      `${ms(at(frames, 0.95))} ms, memory ${growth.toFixed(1)} % in ten minutes (${MINUTES} watched); a fixed computation ` +
      `took ${ms(Math.min(...fixed))} ms at best, ${ms(at(fixed, 0.5))} ms at the median, on ${cpus().length} cores`,
  );
  return missed === 0;
}

const demo = asked.public === undefined ? await startDemo('0') : undefined;
const said = demo === undefined ? {} : JSON.parse(readFileSync('var/demo.json', 'utf8'));
const browser = await openBrowser();
try {
  if (browser === undefined) throw new Error('no Chromium: apt-get install chromium');
  const bases = {
    public: String(asked.public ?? said.base_url),
    operator: String(asked.operator ?? said.operator_url),
  };
  process.exitCode = (await measure(browser, bases)) ? 0 : 1;
} finally {
  await browser?.close();
  if (demo !== undefined) await stopDemo(demo);
}
