import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageViews } from '../../scripts/page-views.ts';
import { EXAMPLE_NOW, EXAMPLE_VENUES, exampleRow, exampleRows } from '../api/example-market.ts';
import { createFakeMarket, type FakeMarket } from '../api/fake-market.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { atExampleTime, type PageServers, servePage } from './page-servers.ts';
import { BUYER_TASKS } from './page-tasks-buy.ts';
import { CARRY_TASKS } from './page-tasks-carry.ts';
import { MATRIX_TASKS, VIEW_TASKS } from './page-tasks-read.ts';
import { watchTasks } from './page-tasks-watch.ts';
import { quotedRow } from './quoted-market.ts';
import { MOST_SHIFT, shiftOf, WATCH_SHIFTS } from './shifts.ts';
import { TaskDriver } from './task-driver.ts';
import { type ListedTask, listedTasks } from './task-table.ts';
import {
  expectFits,
  expectReadableInTheDark,
  expectSound,
  expectSoundInBothColours,
  openVisits,
  type Visit,
  type Visits,
} from './visit.ts';
import { type WatchedExample, watchedExample } from './watched-example.ts';

/** A narrow and a wide window: those between and beyond lay out what these show. */
const WIDTHS = [320, 1280];
/** Each task ends with a look at all of these, and is driven in one of them: `npm run check tasks` drives each in all. */
const OTHER_WIDTHS = [375, 768, 1600];
const isDrivenInAll = process.env.PERPMETER_TASK_WIDTHS === 'all';
/** From this width on nothing is folded. */
const WIDE = 1060;
const [NARROWEST] = WIDTHS;
const LISTED = listedTasks('page-tasks.md');

function drivenIn(width: number): readonly ListedTask[] {
  const place = OTHER_WIDTHS.indexOf(width);
  return place < 0 || isDrivenInAll ? LISTED : LISTED.filter((_, i) => i % OTHER_WIDTHS.length === place);
}
/** Watches of the service whose page is driven. */
const watches: { now?: WatchedExample } = {};
const TASKS = { ...VIEW_TASKS, ...MATRIX_TASKS, ...BUYER_TASKS, ...CARRY_TASKS, ...watchTasks(watches) };

it('tasks in the manual: each is driven, at most three clicks long', () => {
  expect(LISTED.map(({ name }) => name).sort()).toEqual(Object.keys(TASKS).sort());
  expect(LISTED.length).toBeGreaterThanOrEqual(30);
  expect(Math.max(...LISTED.flatMap((task) => [task.clicks, task.narrowClicks]))).toBeLessThanOrEqual(3);
});

type Place = Pick<ListedTask, 'begins' | 'isOperators'>;
const VIEWS = await pageViews();
const PAIR = '#/pair?ticker=BTC&short=bybit&long=binance';
/** Further views and pages: no task begins there. */
const FURTHER = ['#/watch', '#/venues', '#/quality', '#/heatmap', PAIR, '#/nothing', '/errors/no_data'];
/** Places at which axe looks by all its rules in both colours. */
const PLACES: readonly Place[] = [
  ...LISTED,
  ...FURTHER.flatMap((begins) => [false, true].map((isOperators) => ({ begins, isOperators }))),
].filter((place, at, all) => all.findIndex((other) => isSame(place, other)) === at);

function isSame(place: Place, other: Place): boolean {
  return place.begins === other.begins && place.isOperators === other.isOperators;
}

it('every view is among the places that axe looks at', () => {
  const missing = VIEWS.filter(
    ({ name }) => !PLACES.some(({ begins }) => begins.split('?', 1)[0] === `#/${name}`),
  );
  expect(missing.map(({ name }) => name)).toEqual(['operator']);
});

/** The example market with gold, and with contracts and multiples understood as names, as the service's market does. */
function marketOfTasks(): FakeMarket {
  const rows = [
    ...exampleRows(),
    exampleRow({
      venue: 'okx',
      ticker: 'XAU',
      assetClass: 'commodity',
      rate: 0.0001,
      hours: 8,
      mark: 4000,
      oi: 9000,
    }),
  ].map(quotedRow);
  const market = createFakeMarket(EXAMPLE_VENUES, rows);
  market.remember(rows);
  const { resolve } = market;
  const byAnyName: typeof resolve = (name, options) =>
    [name, name.replace(/USDT$/, ''), name.replace(/^1000/, '')]
      .map((bare) => resolve(bare, options))
      .find(({ kind }) => kind !== 'unknown') ?? {
      kind: 'unknown',
    };
  return Object.assign(market, { resolve: byAnyName });
}

/** Forgets what a page of this origin has kept. */
const FORGET = `(async () => {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases())
    await new Promise((done) => { indexedDB.deleteDatabase(name).onsuccess = done; });
})()`;

describe.skipIf(!hasChromium)('tasks of the page in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;
  const made = new Map<string, Visit>();

  beforeAll(async () => {
    watches.now = await watchedExample();
    servers = await servePage({ market: marketOfTasks(), over: watches.now.over });
    visits = await openVisits();
    for (const origin of [servers.public, servers.operator])
      made.set(
        origin,
        await visits.openAlone(`${origin}/errors`, async (page) => {
          await atExampleTime(page);
          await page.addInitScript(WATCH_SHIFTS);
        }),
      );
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
    await watches.now?.close();
  });

  /** Opens the place of a task as a newcomer would. */
  async function begin({ begins, isOperators }: Place, width: number): Promise<Visit> {
    const origin = isOperators ? servers.operator : servers.public;
    const visit = made.get(origin);
    if (visit === undefined) throw new Error('no page');
    const { page, faults, origins } = visit;
    await page.unrouteAll({ behavior: 'wait' });
    await page.goto(`${origin}/web/style.css`);
    await page.evaluate(FORGET);
    await page.setViewportSize({ width, height: 800 });
    // Before the first answer the page goes by its own clock; the worker of the matrix always has that of the machine.
    await page.clock.setSystemTime(begins.startsWith('#/matrix') ? Date.now() : EXAMPLE_NOW);
    await page.emulateMedia({ colorScheme: 'light' });
    faults.length = 0;
    origins.clear();
    await page.goto(`${origin}${begins.startsWith('#') ? '/' : ''}${begins}`);
    await page.locator('main h1').waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    const { sum, shifts } = await shiftOf(page);
    expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(MOST_SHIFT);
    return visit;
  }

  describe.each([...WIDTHS, ...OTHER_WIDTHS])('%i px wide', (width) => {
    it.each(drivenIn(width))('$name: as in the manual', async (task) => {
      const visit = await begin(task, width);
      const driver = new TaskDriver(visit.page);
      await TASKS[task.name]?.(driver, visit);
      if (width >= WIDE) expect(driver.clicks).toBe(task.clicks);
      else if (width === NARROWEST) expect(driver.clicks).toBe(task.narrowClicks);
      else expect(driver.clicks).toBeLessThanOrEqual(task.narrowClicks);
      if (OTHER_WIDTHS.includes(width)) return expectFits(visit);
      await expectSound(visit);
      await expectReadableInTheDark(visit);
      for (const other of OTHER_WIDTHS.filter((other) => other >= WIDE === width >= WIDE)) {
        await visit.page.setViewportSize({ width: other, height: 800 });
        await until(() => expectFits(visit));
      }
    });
  });

  describe.each(WIDTHS)('%i px wide', (width) => {
    it.each(PLACES)('$begins, operator $isOperators: sound in both colours', async (place) => {
      await expectSoundInBothColours(await begin(place, width));
    });
  });
});
