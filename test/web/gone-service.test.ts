import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { openVisits, tableTexts, untilPlace, type Visits } from './visit.ts';

const HEALTH = '**/v1/health';

/** Has the page's next call of its health be taken, and not answered. */
async function hang(page: Page): Promise<void> {
  const asked = page.waitForRequest(HEALTH);
  await page.route(HEALTH, () => {});
  await page.clock.fastForward(6000);
  await asked;
}

describe.skipIf(!hasChromium)(
  'the page without its service in Chromium (skipped where there is none)',
  () => {
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

    it('that takes a call and never answers says offline, and asks again', async () => {
      const { page } = await visits.openAlone(servers.public, (made) => made.clock.install());
      const offline = page.getByText('offline', { exact: true });
      await page.getByText(/^\d+\/\d+ venues$/).waitFor();
      await hang(page);
      expect(await offline.count()).toBe(0);
      await page.clock.fastForward(31_000);
      await offline.waitFor();
      await page.unroute(HEALTH);
      await page.clock.fastForward(6000);
      await offline.waitFor({ state: 'detached' });
      await visits.closeAlone();
    });

    it('any question: goes on saying so above the matrix', async () => {
      const gone = await servePage();
      const { page } = await visits.openAlone(`${gone.operator}/#/matrix?min_oi=0&table=1`);
      await page.getByRole('table', { name: 'Funding matrix' }).waitFor();
      await gone.close();
      const notice = page.getByText('The service cannot be reached. What is shown was read');
      await notice.waitFor();
      await page
        .getByRole('columnheader', { name: /^Asset/ })
        .getByRole('button')
        .click();
      await untilPlace(page, (hash) => hash === '#/matrix?min_oi=0&table=1&sort=asset');
      // A worker orders the rows.
      await page.locator('th[aria-sort=ascending]', { hasText: /^Asset/ }).waitFor();
      const [, ...rows] = await tableTexts(page, 'Funding matrix');
      const tickers = rows.map(([ticker]) => ticker ?? '');
      expect(tickers).toEqual(tickers.toSorted());
      expect(await notice.count()).toBe(1);
      await visits.closeAlone();
    });
  },
);
