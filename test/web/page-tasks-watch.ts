import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { atOnce } from '../at-once.ts';
import { until } from '../until.ts';
import { clickCell, type PageTask } from './page-tasks-read.ts';
import type { TaskDriver } from './task-driver.ts';
import { tableTexts, untilPlace } from './visit.ts';
import type { WatchedExample } from './watched-example.ts';

const MINE = 'My watches';
/** Funding of BTC at Binance above 0.1 % per eight hours. */
export const CONDITION = {
  kind: 'funding',
  product: 'funding-current',
  field: 'rate_8h',
  unit: 'fraction per eight hours',
  ticker: 'BTC',
  asset: 'crypto:BTC',
  venue: 'binance',
  above: 0.001,
  reset: 0.001,
  for_minutes: 0,
  firings: 100,
} as const;

/** Waits until the condition is shown as the service understands it. */
const untilTried = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByRole('region', { name: 'The condition as it is understood' }).getByText(words).first().waitFor();

const untilListed = (page: Page, state: string): Promise<void> =>
  until(async () => expect((await tableTexts(page, MINE))[1]?.[1]).toBe(state));

/** Puts a watch into the list, as a visitor has it who bought one before. */
async function keep(page: Page, watched: WatchedExample): Promise<string> {
  const { id, secret } = atOnce(watched.desk().offer(CONDITION, 1));
  const kept = JSON.stringify({ id, secret, addedAt: 0, condition: CONDITION });
  await page.evaluate(`new Promise((resolve, reject) => {
    const opened = indexedDB.open('perpmeter-watches', 1);
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const change = opened.result.transaction('watches', 'readwrite');
      change.oncomplete = () => resolve(opened.result.close());
      change.onabort = () => reject(change.error);
      change.objectStore('watches').put(${kept});
    };
  })`);
  await page.reload();
  await untilListed(page, 'armed');
  return id;
}

/** Tasks of who wants to be told. @param watches those of the service, once it is there */
export function watchTasks(watches: { readonly now?: WatchedExample }): Readonly<Record<string, PageTask>> {
  const watched = (): WatchedExample => {
    if (watches.now === undefined) throw new Error('nothing is watched');
    return watches.now;
  };
  /** Looks at a watch that was bought before. @returns its id */
  const lookAt = async (driver: TaskDriver): Promise<string> => {
    const id = await keep(driver.page, watched());
    await driver.click(driver.page.getByRole('table', { name: MINE }).getByRole('link'));
    await driver.page.getByRole('region', { name: 'One watch' }).waitFor();
    return id;
  };
  return {
    'fill in a watch from the row of a venue': async (driver) => {
      await driver.click(driver.page.getByRole('link', { name: 'Watch funding of BTC on binance' }));
      await untilTried(driver.page, /^funding of BTC on binance above/);
    },
    'fill in a watch of the spread of a pair': async (driver) => {
      await driver.click(driver.page.getByRole('link', { name: 'Watch the spread of bybit and binance' }));
      await untilTried(driver.page, /^spread of BTC on bybit, binance above/);
    },
    'fill in a watch from a cell': async (driver) => {
      await clickCell(driver, 0, /binance/);
      await driver.click(driver.page.getByRole('link', { name: 'Watch the chosen rate' }));
      await untilTried(driver.page, /^funding of .* on binance/);
    },
    'fill in a watch from a row of the table': async (driver) => {
      await driver.click(driver.page.getByRole('link', { name: /^Watch the spread of/ }).first());
      await untilTried(driver.page, /^spread of .* above/);
    },
    'buy a watch for a day, and find it listed': async (driver) => {
      await driver.press('Watch for a day, $0.02');
      await driver.press(/^Pay \$/);
      await untilListed(driver.page, 'armed');
    },
    'see what a watch has told': async (driver) => {
      const id = await lookAt(driver);
      watched().engine().end(id, 'time');
      await until(async () =>
        expect((await tableTexts(driver.page, 'What it has told'))[1]?.[2]).toBe('ended'),
      );
    },
    'renew a watch': async (driver) => {
      await lookAt(driver);
      await driver.press('Renew for a day, $0.02');
      await driver.press(/^Pay \$/);
      await driver.page.getByText(/^Renewed until/).waitFor();
    },
    'save the statement of a watch that has ended': async (driver) => {
      const { page } = driver;
      const id = await lookAt(driver);
      watched().engine().end(id, 'time');
      await driver.click(page.getByText('The signed statement of what was watched'));
      const saved = page.waitForEvent('download');
      await driver.press('Save the statement');
      expect(await readFile(await (await saved).path(), 'utf8')).toContain(id);
    },
    'add a watch by its id and secret': async (driver) => {
      const { page } = driver;
      const { id, secret } = atOnce(watched().desk().offer(CONDITION, 1));
      await driver.click(page.getByText('Add a watch by its id and secret'));
      await page.getByLabel('Id', { exact: true }).fill(id);
      await page.getByLabel('Secret', { exact: true }).fill(secret);
      await driver.press('Add');
      await untilListed(page, 'armed');
    },
    'take a watch from the list': async (driver) => {
      await lookAt(driver);
      await driver.press('Remove from the list');
      await untilPlace(driver.page, (hash) => hash === '#/watch');
      await driver.page.getByText('None: a watch that is made here').waitFor();
    },
    'find the watches that my wallet has paid for': async (driver) => {
      const { page } = driver;
      await driver.click(page.getByText('Find watches that a wallet has paid for'));
      await driver.press(/^Sign by The demo/);
      // Nobody has charged anything here.
      await page.getByText('It has paid for none here.').waitFor();
    },
    'ask for notices of this browser': async (driver) => {
      await driver.press('Notify me in this browser');
      // A Chromium without a window refuses them.
      await driver.page.getByText('This browser refuses notices of this page').waitFor();
    },
  };
}
