import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../until.ts';
import type { TaskDriver } from './task-driver.ts';
import { cellsOf, tableTexts, untilPlace, type Visit } from './visit.ts';

/** Does a task, and fails where it cannot be done. */
export type PageTask = (driver: TaskDriver, made: Visit) => Promise<unknown>;

const MATRIX = 'Funding matrix';
const LINE_PX = 24;

const table = (page: Page, name: string | RegExp): Locator => page.getByRole('table', { name });
const chosen = (page: Page): Locator => page.getByRole('region', { name: 'Chosen' });

/** Clicks on a cell of the matrix: of the line, and of the column with this title. */
export async function clickCell(driver: TaskDriver, line: number, title: RegExp): Promise<void> {
  const head = driver.page.locator('.grid-head').getByRole('button', { name: title });
  await head.scrollIntoViewIfNeeded();
  const canvas = driver.page.locator('.grid-body canvas');
  const at = await head.boundingBox();
  const frame = await canvas.boundingBox();
  if (at === null || frame === null) throw new Error('the matrix is not shown');
  await driver.click(canvas, { x: at.x + at.width / 2 - frame.x, y: (line + 0.5) * LINE_PX });
}

/** Assets of the matrix as a table, in its order. */
const assetsOf = async (page: Page): Promise<readonly (string | undefined)[]> =>
  (await cellsOf(page, MATRIX, ['Asset'])).map(([asset]) => asset);

/** Types into a filter, which is folded in a narrow window. */
async function fill(driver: TaskDriver, label: string, text: string): Promise<void> {
  await driver.unfold('Filters');
  await driver.page.getByLabel(label, { exact: true }).fill(text);
}

/** Waits until the only asset of the matrix is so. */
const untilOnly = (page: Page, ticker: string): Promise<void> =>
  until(async () => expect([...new Set(await assetsOf(page))]).toEqual([ticker]));

/** The number of a cell; NaN where it is unknown. */
export const numberOf = (text = ''): number =>
  /\d/.test(text) ? Number(text.replace('−', '-').replace(/[^\d.-]/g, '')) : Number.NaN;

/** Tasks of a reader of rates, by their names in the manual. */
export const MATRIX_TASKS: Readonly<Record<string, PageTask>> = {
  'see the rate of an asset at a venue': async (driver) => {
    await driver.goTo('Funding');
    await driver.page.locator('canvas').waitFor();
    await clickCell(driver, 0, /binance/);
    await chosen(driver.page)
      .getByText(/on binance.*% per interval of/s)
      .waitFor();
  },
  'see the widest spread': async ({ page }) => {
    await table(page, MATRIX).waitFor();
    const spreads = (await cellsOf(page, MATRIX, ['Spread'])).map(([text]) => numberOf(text));
    const known = spreads.filter((spread) => !Number.isNaN(spread));
    expect(known.length).toBeGreaterThan(1);
    expect(known).toEqual(known.toSorted((a, b) => b - a));
  },
  'find what is left most after fees': async (driver) => {
    await driver.order(MATRIX, /^Net/);
    await untilPlace(driver.page, (hash) => hash.includes('sort=-net'));
    await until(async () => {
      const nets = (await cellsOf(driver.page, MATRIX, ['Net'])).map(([text]) => numberOf(text));
      const known = nets.filter((net) => !Number.isNaN(net));
      expect(known).toEqual(known.toSorted((a, b) => b - a));
    });
  },
  'find an asset by what people call it: `BTCUSDT`, `bitcoin`, `1000PEPE`, `gold`': async (driver) => {
    await driver.unfold('Filters');
    const said = { BTCUSDT: 'BTC', bitcoin: 'BTC', '1000PEPE': 'PEPE', gold: 'XAU' };
    for (const [name, ticker] of Object.entries(said)) {
      await driver.page.getByLabel('Find', { exact: true }).fill(name);
      await untilOnly(driver.page, ticker);
    }
  },
  'keep to an asset class': async (driver) => {
    await driver.unfold('Filters');
    await driver.choose('Class', 'commodity');
    await untilOnly(driver.page, 'XAU');
  },
  'keep to a venue': async (driver) => {
    await driver.unfold('Filters');
    await driver.unfold('Venues:');
    await driver.click(driver.page.getByLabel('bybit', { exact: true }));
    await until(async () => {
      const [head = []] = await tableTexts(driver.page, MATRIX);
      expect([head.includes('bybit'), head.includes('binance')]).toEqual([true, false]);
    });
  },
  'set a floor of open interest, as `20m`': async (driver) => {
    const before = await assetsOf(driver.page);
    await fill(driver, 'Open interest ≥ USD', '20m');
    await until(async () => {
      const interest = (await cellsOf(driver.page, MATRIX, ['Open int.'])).map(([text]) => text ?? '');
      expect(interest.length).toBeLessThan(before.length);
      expect(
        interest.every((text) => /[MBT]$/.test(text) && (/[BT]$/.test(text) || numberOf(text) >= 20)),
      ).toBe(true);
    });
  },
  'see rates by the year': async (driver) => {
    await driver.unfold('Filters');
    await driver.press('year');
    await driver.page
      .getByText(/% per year/)
      .first()
      .waitFor();
  },
  'see means of what was paid in 7 days': async (driver) => {
    await driver.unfold('Filters');
    await driver.press('7 d');
    await driver.page.getByText(/means of what was paid in 7 d/).waitFor();
  },
  'count my own taker fees, and find them kept': async (driver) => {
    await fill(driver, 'My taker fees, bps', 'binance:1,bybit:1');
    await untilPlace(driver.page, (hash) => hash.includes('fees=binance:1,bybit:1'));
    await driver.page.goto(`${new URL(driver.page.url()).origin}/#/matrix`);
    await driver.page.reload();
    await untilPlace(driver.page, (hash) => hash.includes('fees=binance:1,bybit:1'));
  },
  'see what 50,000 USD a leg cost, and after how many days that is earned': async (driver) => {
    await driver.unfold('Filters');
    await driver.choose('Size of a leg', '$50K');
    await until(async () => {
      const rows = await cellsOf(driver.page, MATRIX, ['Asset', 'Cost $50K', 'Even after']);
      const [, cost, days] = rows.find(([asset]) => asset === 'ETH') ?? [];
      expect([numberOf(cost), numberOf(days)].every((value) => value > 0)).toBe(true);
    });
  },
  'save a view under a name': async (driver) => {
    await fill(driver, 'Save this view as', 'large ones');
    await driver.press('Save');
    await driver.page.getByRole('link', { name: 'large ones' }).waitFor();
  },
  'mark a favourite, and see favourites alone': async (driver) => {
    await driver.page.locator('canvas').waitFor();
    await driver.click(driver.page.locator('.grid-body canvas'), { x: 10, y: LINE_PX / 2 });
    await driver.unfold('Filters');
    await driver.click(driver.page.getByLabel('Favourites only'));
    await driver.page.getByText(/^1 assets/).waitFor();
  },
  'go from a cell to its asset': async (driver) => {
    await driver.page.locator('canvas').waitFor();
    await clickCell(driver, 0, /binance/);
    await driver.click(chosen(driver.page).getByRole('link', { name: /^All venues of/ }));
    await untilPlace(driver.page, (hash) => hash.startsWith('#/asset?ticker='));
  },
  'go from a spread to its pair': async (driver) => {
    await driver.page.locator('canvas').waitFor();
    await clickCell(driver, 0, /Spread/);
    await driver.click(chosen(driver.page).getByRole('link', { name: 'The pair' }));
    await untilPlace(driver.page, (hash) => /^#\/pair\?.*short=.*long=/.test(hash));
  },
  'read the matrix as a table': async (driver) => {
    await driver.press('As table');
    await table(driver.page, MATRIX).waitFor();
  },
  'save the matrix as CSV': async (driver) => {
    const saved = driver.page.waitForEvent('download');
    await driver.press('CSV');
    expect((await saved).suggestedFilename()).toBe('funding-matrix.csv');
  },
};

/** Tasks of a reader of the other views. */
export const VIEW_TASKS: Readonly<Record<string, PageTask>> = {
  'see whether the data is live, and of how many venues': async ({ page }) => {
    await page.getByLabel('State of the service').getByText('Simulated').waitFor();
    await page.getByTitle(/^\d+ live, \d+ stale, \d+ down$/).waitFor();
  },
  'read a pair worked out: contracts, costs by size, past': async ({ page }) => {
    expect(await tableTexts(page, 'Legs of the worked pair')).toHaveLength(3);
    expect(await tableTexts(page, 'Costs of the worked pair')).toHaveLength(4);
  },
  'look up the price of a call': async ({ page }) => {
    const prices = await cellsOf(page, 'Price list', ['Path', 'Price']);
    expect(prices.find(([path]) => path === '/v1/perp/snapshot')?.[1]).toBe('$0.005');
  },
  'change the colours': async (driver) => {
    await driver.click(driver.page.getByRole('button', { name: /^Colours/ }));
    await driver.page.locator('html[data-theme=light]').waitFor();
  },
  'see which venues are live, stale or down': async (driver) => {
    await driver.goTo('Venues');
    // The list of venues is shown before their health is read.
    await until(async () => {
      const states = await cellsOf(driver.page, 'Health of each venue', ['Venue', 'Status']);
      expect(states).toContainEqual(['vertex', 'down']);
    });
  },
  'see the grade of a venue, and why': async (driver) => {
    await driver.goTo('Quality');
    await driver.page.getByRole('table').first().getByText('binance').first().waitFor();
  },
  'see how complete the history of each venue is': async (driver) => {
    await driver.press('coverage');
    await driver.page.getByRole('table').first().waitFor();
  },
  'see settled funding of the largest assets by day': async (driver) => {
    await driver.goTo('Heatmap');
    await driver.page.getByRole('application', { name: /^Heatmap of/ }).waitFor();
  },
  'read the heatmap as a table': async (driver) => {
    await driver.press('As table');
    await table(driver.page, 'Funding heatmap').waitFor();
  },
  'see an asset on every venue': async (driver) => {
    await driver.page.getByLabel('Asset', { exact: true }).fill('bitcoin');
    await driver.press('Show');
    await untilPlace(driver.page, (hash) => hash.includes('ticker=BTC'));
    await table(driver.page, 'BTC on each venue').waitFor();
  },
  'see what 1,000, 5,000 and 10,000 USD cost at each venue': async ({ page }) => {
    const [row] = await cellsOf(page, 'Cost of trading BTC by size', [
      ...['Slippage $1K', 'Slippage $5K', 'Slippage $10K'],
    ]);
    expect(row?.every((text) => /^[\d.]+$/.test(text ?? ''))).toBe(true);
  },
  'see what an asset paid over 30 days': async (driver) => {
    await driver.press('30d');
    await driver.page.getByRole('heading', { name: /^Funding %/ }).waitFor();
  },
  'choose between two assets of one ticker': async (driver) => {
    // No book of either is followed here: the service would go on saying that it is not ready.
    const none = { status: 404, json: { title: 'No book', detail: 'None is followed.' } };
    await driver.page.route('**/v1/orderbook/**', (route) => route.fulfill(none));
    await driver.click(driver.page.getByRole('link', { name: 'index:SPX' }));
    await table(driver.page, 'SPX on each venue').waitFor();
  },
  'see what a pair would have earned': async ({ page }) => {
    expect(await tableTexts(page, 'Earnings of the pair by time held')).toHaveLength(4);
  },
  'swap the legs of a pair': async (driver) => {
    await driver.press('Swap');
    await untilPlace(driver.page, (hash) => hash.includes('short=binance&long=bybit'));
  },
  'print a view': async ({ page }) => {
    await table(page, 'BTC on each venue').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Views' }).isVisible()).toBe(false);
    expect(await table(page, 'BTC on each venue').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
  },
  'look up an error by its code': async (driver) => {
    await driver.click(driver.page.getByRole('link', { name: 'no_data', exact: true }));
    await driver.page.getByRole('heading', { level: 1 }).waitFor();
    expect(driver.page.url()).toMatch(/\/errors\/no_data$/);
  },
  'go on from a path that is not there': async (driver) => {
    await driver.click(driver.page.getByRole('link', { name: 'The page of the service' }));
    await table(driver.page, 'Price list').waitFor();
  },
};
