import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageTask } from './page-tasks-read.ts';
import type { TaskDriver } from './task-driver.ts';
import { tableTexts, untilPlace } from './visit.ts';

const SNAPSHOT = '**/v1/perp/snapshot**';

const receipt = (page: Page): Locator => page.getByRole('region', { name: 'Receipt' });

/** Buys the answer that is shown as for sale. */
async function buy(driver: TaskDriver): Promise<void> {
  await driver.press('Ask for the price');
  await driver.press(/^Pay \$/);
  await receipt(driver.page).waitFor();
}

/** Tasks of a buyer. */
export const BUYER_TASKS: Readonly<Record<string, PageTask>> = {
  'see a call as curl and as a program': async (driver) => {
    expect(await driver.page.getByRole('region', { name: 'The call as curl' }).textContent()).toContain(
      'curl',
    );
    await driver.click(driver.page.getByText("The same with this service's client"));
    await driver.page.getByRole('region', { name: "The call with this service's client" }).waitFor();
  },
  'see price and receiver before anything is signed': async (driver) => {
    await driver.press('Ask for the price');
    const sale = driver.page.getByRole('region', { name: 'For sale: This answer' });
    expect(await sale.textContent()).toMatch(/\$0\.005.*Receiver0x/s);
  },
  'buy an answer, and see its receipt': async (driver) => {
    await buy(driver);
    await driver.page.getByRole('table', { name: "The answer's list" }).waitFor();
  },
  'save the receipt': async (driver) => {
    await buy(driver);
    const saved = driver.page.waitForEvent('download');
    await driver.press('Save the receipt');
    const file = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
    expect(file.url).toContain('/v1/perp/snapshot?ticker=BTC');
  },
  'read what was bought after a reload': async (driver) => {
    await buy(driver);
    await driver.page.reload();
    await receipt(driver.page).waitFor();
  },
  'ask for an answer again': async (driver) => {
    await buy(driver);
    await driver.press('Ask again');
    await driver.page.getByRole('button', { name: /^Pay \$/ }).waitFor();
  },
  'renew a part of a view that was bought': async (driver) => {
    const { page } = driver;
    const sale = page.getByRole('region', { name: 'For sale: The snapshot of BTC' });
    await driver.press(/^Pay \$/, sale);
    await driver.press('Renew');
    await driver.press(/^Pay \$/, sale);
    await page.getByRole('table', { name: 'BTC on each venue' }).waitFor();
  },
  'buy a view as a whole, with a cap that fits': async (driver) => {
    const { page } = driver;
    await driver.click(page.getByText(/^Buy this view/));
    const sale = page.getByRole('region', { name: 'For sale: This view' });
    await sale.getByLabel('Cap of this tab, USD').fill('0.01');
    await driver.press(/^Raise the cap to/, sale);
    await driver.press(/^Pay \$/, sale);
    await page.getByRole('table', { name: 'BTC on each venue' }).waitFor();
    await page.getByText(/^Buy this view/).waitFor({ state: 'detached' });
  },
  'buy the whole matrix of now': async (driver) => {
    await driver.press('Price of the whole table');
    await driver.press(/^Pay \$/);
    await driver.page.getByText(/^Free, and delayed\.$/).waitFor({ state: 'detached' });
  },
  'set a cap that a price passes': async (driver) => {
    await driver.press('Ask for the price');
    await driver.page.getByLabel('Cap of this tab, USD').fill('0.001');
    await driver.page.getByText('The cap leaves').waitFor();
    expect(await driver.page.getByRole('button', { name: /^Pay \$/ }).isDisabled()).toBe(true);
  },
  'go from a sold address to its purchase': async (driver) => {
    await driver.click(driver.page.getByRole('link', { name: 'Buy it on the page' }));
    await untilPlace(driver.page, (hash) => hash === '#/buy?route=perp-snapshot&p.ticker=ETH');
    await driver.press('Ask for the price');
    await driver.page.getByRole('region', { name: 'For sale: This answer' }).waitFor();
  },
  'try a read again that has failed': async (driver, made) => {
    const { page } = made;
    await page.route(SNAPSHOT, (route) =>
      route.fulfill({ status: 503, json: { title: 'Busy', detail: '' } }),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Busy' }).waitFor();
    await page.unroute(SNAPSHOT);
    await driver.press('Try again');
    expect((await tableTexts(page, 'BTC on each venue')).length).toBeGreaterThan(1);
    // The browser says that the service was busy, as it was meant to be.
    made.faults.length = 0;
  },
};
