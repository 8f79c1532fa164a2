import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../until.ts';
import { numberOf, type PageTask } from './page-tasks-read.ts';
import type { TaskDriver } from './task-driver.ts';
import { cellsOf, tableTexts, untilPlace } from './visit.ts';

const CARRY = 'Cash and carry by asset';
const FEES = 'binance:1,bybit:1';

/** Enters a text into a filter, which is folded in a narrow window. */
async function enter({ page }: TaskDriver, label: string, text: string): Promise<void> {
  await page.getByLabel(label).fill(text);
  await page.getByLabel(label).press('Enter');
}

/** Costs of the pairs that are shown, bps. */
const costsOf = async (page: Page): Promise<readonly number[]> =>
  (await cellsOf(page, CARRY, ['All costs'])).map(([text]) => numberOf(text));

/** Tasks of a trader of spot against perpetuals. */
export const CARRY_TASKS: Readonly<Record<string, PageTask>> = {
  'see which carry nets most': async ({ page }) => {
    const nets = (await cellsOf(page, CARRY, ['Net'])).map(([text]) => numberOf(text));
    expect(nets.length).toBeGreaterThan(0);
    expect(nets).toEqual(nets.toSorted((a, b) => b - a));
  },
  'keep carry to pairs that buy spot, of $10K a leg': async (driver) => {
    await driver.unfold('Filters');
    await driver.press('buy spot, short perp');
    await driver.choose('Size of a leg', '$10K');
    await untilPlace(driver.page, (hash) => hash.includes('direction=long_spot&size=10000'));
    await until(async () => {
      const trades = await cellsOf(driver.page, CARRY, ['Trade']);
      expect(new Set(trades.flat())).toEqual(new Set(['buy spot, short perp']));
    });
  },
  'count my own fees of both legs in carry': async (driver) => {
    const [before = Number.NaN] = await costsOf(driver.page);
    await driver.unfold('Filters');
    await enter(driver, 'My fees on perpetuals, bps', FEES);
    await enter(driver, 'My fees on spot, bps', FEES);
    await until(async () => expect((await costsOf(driver.page))[0]).toBeLessThan(before));
  },
  'find the best carry of an asset': async (driver) => {
    await driver.press('spot');
    const nets = (await cellsOf(driver.page, 'Cash and carry of BTC', ['Net'])).map(([text]) =>
      numberOf(text),
    );
    const known = nets.filter((net) => !Number.isNaN(net));
    expect(known.length).toBeGreaterThan(1);
    expect(known).toEqual(known.toSorted((a, b) => b - a));
  },
  'see what a coin costs to borrow, and where that is not known': async ({ page }) => {
    const rates = await cellsOf(page, 'Borrow rates of BTC', ['Venue', 'Now']);
    expect(rates).toContainEqual(['binance', 'not published']);
    expect(rates.some(([, text]) => numberOf(text) > 0)).toBe(true);
  },
  'open a pair with a spot leg': async (driver) => {
    await driver.click(driver.page.getByRole('link', { name: /^Open BTC/ }));
    await untilPlace(driver.page, (hash) => /^#\/pair\?.*=spot:/.test(hash));
    expect(await tableTexts(driver.page, 'Legs of the pair of BTC')).toHaveLength(3);
  },
  'see the past of a pair with a spot leg': async ({ page }) => {
    const [day] = await cellsOf(page, 'Perpetual above spot, in the past', ['Past', 'Mean']);
    expect(day?.[0]).toBe('1 d');
    expect(numberOf(day?.[1])).not.toBeNaN();
  },
  'swap a spot leg, to borrow the coin': async (driver) => {
    await driver.press('Swap');
    await untilPlace(driver.page, (hash) => hash.includes('short=spot:bybit&long=binance'));
    await driver.page.getByText('short spot, buy perp: spot on bybit').waitFor();
  },
  'buy the carry of all assets': async (driver) => {
    await driver.press(/^Pay \$/);
    await driver.page.getByRole('table', { name: CARRY }).waitFor();
  },
  "buy all of an asset's spot": async (driver) => {
    const { page } = driver;
    await driver.click(page.getByText(/^Buy this view/));
    const sale = page.getByRole('region', { name: 'For sale: This view' });
    await sale.getByLabel('Cap of this tab, USD').fill('1');
    await driver.press(/^Pay \$/, sale);
    await page.getByRole('table', { name: 'Cash and carry of BTC' }).waitFor();
    await page.getByText(/^Buy this view/).waitFor({ state: 'detached' });
  },
};
