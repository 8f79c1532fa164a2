import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './browser.ts';
import { atExampleTime, type PageServers, servePage } from './page-servers.ts';
import { expectSound, openVisits, type Visits } from './visit.ts';

/** Puts the end of all kept purchases into the past, as if a day had gone by. */
async function passDay(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const opened = indexedDB.open('perpmeter-purchases', 1);
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const change = opened.result.transaction('purchases', 'readwrite');
      change.oncomplete = () => resolve(opened.result.close());
      change.onabort = () => reject(change.error);
      change.objectStore('purchases').openCursor().onsuccess = ({ target: { result: cursor } }) => {
        cursor?.update({ ...cursor.value, dropAt: 0 });
        cursor?.continue();
      };
    };
  })`);
}

describe.skipIf(!hasChromium)('a view bought as a whole in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    servers = await servePage();
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  it('all calls by one purchase, a cap that fits, kept over a reload', async () => {
    const { taken } = servers.example.paywall;
    const made = await visits.openAlone(`${servers.public}/#/asset?ticker=BTC&v=binance`, atExampleTime);
    const { page } = made;
    await page.getByText(/^Buy this view: 7 calls at once/).click();
    const sale = page.getByRole('region', { name: 'For sale: This view' });
    const cap = sale.getByLabel('Cap of this tab, USD');
    await cap.fill('0.01');
    await sale.getByRole('button', { name: /^Raise the cap to/ }).click();
    await expectSound(made);
    const pay = sale.getByRole('button', { name: /^Pay \$/ });
    expect(await sale.locator('h2').textContent()).toContain((await pay.textContent())?.replace('Pay ', ''));
    await pay.click();
    const contracts = page.getByRole('table', { name: 'BTC on each venue' });
    await contracts.waitFor();
    await page.getByRole('table', { name: 'Cost of trading BTC by size' }).waitFor();
    await page.getByText(/^Buy this view/).waitFor({ state: 'detached' });
    await page.getByRole('region', { name: /^For sale/ }).waitFor({ state: 'detached' });
    expect(taken).toHaveLength(7);
    await page.reload();
    await contracts.waitFor();
    await page
      .getByText(/kept in this browser until/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: /^For sale/ }).waitFor({ state: 'detached' });
    expect(taken).toHaveLength(7);
    await expectSound(made);
    await page.getByRole('button', { name: 'Renew' }).first().click();
    await page.getByRole('region', { name: 'For sale: The snapshot of BTC' }).waitFor();
  });

  it('the receipt of a kept purchase: shown, saved, and gone after a day', async () => {
    const place = `${servers.public}/#/buy?route=perp-snapshot&p.ticker=ETH`;
    const { page } = await visits.openAlone(place, atExampleTime);
    await page.getByRole('button', { name: 'Ask for the price' }).click();
    const sale = page.getByRole('region', { name: 'For sale: This answer' });
    await sale.getByLabel('Cap of this tab, USD').fill('1');
    await sale.getByRole('button', { name: 'Pay $0.005' }).click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.waitFor();
    const [transaction] = await receipt.locator('code').allTextContents();
    await page.reload();
    await receipt.waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the receipt' }).click(),
    ]);
    const saved = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(saved.url).toContain('/v1/perp/snapshot?ticker=ETH');
    expect(saved.receipt?.transaction ?? 'none was named').toBe(transaction);
    await passDay(page);
    await page.reload();
    await page.getByRole('button', { name: 'Ask for the price' }).waitFor();
    await receipt.waitFor({ state: 'detached' });
  });
});
