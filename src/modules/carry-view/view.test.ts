import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  PerpArbitrageCashCarryAnswer,
  PerpCashCarryAnswer,
  SpotBorrowAnswer,
  SpotCurrentAnswer,
} from '../../../packages/client/src/routes.ts';
import { until } from '../../../test/until.ts';
import { hasChromium } from '../../../test/web/browser.ts';
import { atExampleTime, type PageServers, servePage } from '../../../test/web/page-servers.ts';
import { quotedMarket } from '../../../test/web/quoted-market.ts';
import {
  cellsOf,
  expectReadableInTheDark,
  expectSound,
  NARROW,
  openVisits,
  untilPlace,
  type Visits,
} from '../../../test/web/visit.ts';
import { PROBLEM_ERRORS } from '../../domain/errors.ts';

const SCAN = '/v1/perp/arbitrage/cash-carry';
const TABLE = 'Cash and carry by asset';

/** A number as the page writes it, with its sign where it has one. */
const bps = (value: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`;

describe.skipIf(!hasChromium)('carry on the page in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;
  const read = async <Body>(path: string): Promise<Body> =>
    (await fetch(servers.operator + path)).json() as Promise<Body>;
  const open = (place: string, look: Parameters<Visits['open']>[1] = {}) =>
    visits.open(`${servers.operator}/#/${place}`, look);

  beforeAll(async () => {
    servers = await servePage({ market: quotedMarket() });
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  /** Paths of the scan that a page asks for from now on. */
  function scansOf(page: Page): string[] {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === SCAN) asked.push(decodeURIComponent(search));
    });
    return asked;
  }

  describe('the table', () => {
    it('figures of the interface, and how many assets have none', async () => {
      const made = await open('carry');
      const { opportunities, unassessed } = await read<PerpArbitrageCashCarryAnswer>(
        `${SCAN}?min_open_interest_usd=1000000&limit=100`,
      );
      expect(opportunities.length).toBeGreaterThan(0);
      const cells = await cellsOf(made.page, TABLE, ['Asset', 'Trade', 'Entry gap', 'Funding', 'All costs']);
      expect(cells).toEqual(
        opportunities.map((row) => [
          row.ticker,
          row.direction === 'long_spot' ? 'buy spot, short perp' : 'short spot, buy perp',
          bps(row.gap.executable_bps ?? Number.NaN),
          bps(row.funding_8h_bps ?? Number.NaN),
          row.all_in_cost_bps?.toFixed(2),
        ]),
      );
      const links = await made.page
        .getByRole('table', { name: TABLE })
        .getByRole('link', { name: /^Open/ })
        .all();
      const named = await Promise.all(links.map(async (link) => String(await link.getAttribute('href'))));
      const quotes = named.map((href) => new URLSearchParams(href.split('?')[1]).get('spot_quote'));
      expect(quotes).toEqual(opportunities.map((row) => row.spot_quote));
      await made.page.getByText(`${unassessed.no_spot} without a spot market`).waitFor();
      await expectSound(made);
      await expectReadableInTheDark(made);
    });

    it('filters: each a part of the call and of the address', async () => {
      const made = await open('carry');
      const { page } = made;
      await page.getByRole('table', { name: TABLE }).waitFor();
      const asked = scansOf(page);
      await page.getByRole('button', { name: 'buy spot, short perp' }).click();
      await page.getByLabel('Hold').selectOption('30 d');
      await page.getByLabel('Size of a leg').selectOption('$50K');
      await page.getByLabel('Open interest ≥ USD').fill('20m');
      await page.getByLabel('Open interest ≥ USD').press('Enter');
      await page.getByLabel('Assets').fill('bitcoin');
      await page.getByLabel('Assets').press('Enter');
      await untilPlace(page, (hash) => hash.includes('assets=BTC'));
      await page.getByText('Without: none').click();
      await page.locator('.venue-choice[open] input').first().check();
      await untilPlace(page, (hash) => hash.includes('exclude='));
      const excluded = new URLSearchParams(page.url().split('?')[1]).get('exclude');
      await page.getByRole('table', { name: TABLE }).waitFor();
      await until(async () =>
        expect(asked).toContain(
          `?symbol=BTC&exclude=${excluded}&direction=long_spot&notional_usd=50000&min_open_interest_usd=20000000&holding_days=30&limit=100`,
        ),
      );
      await expectSound(made);
      await page.evaluate('localStorage.clear()');
    });

    it('my fees: kept in the browser, counted from the first call on', async () => {
      const { page } = await open('carry');
      const fees = page.getByLabel('My fees on spot, bps');
      await fees.fill('binance:1,bybit:1,okx:1');
      await fees.press('Enter');
      await untilPlace(page, (hash) => hash.includes('spot_fees=binance:1,bybit:1,okx:1'));
      await open('venues');
      const asked = scansOf(page);
      await page.evaluate("location.hash = '#/carry'");
      await page.getByRole('table', { name: TABLE }).waitFor();
      expect(await fees.inputValue()).toBe('binance:1,bybit:1,okx:1');
      const [first, ...others] = asked;
      expect(first).toContain('&spot_fees=binance:1,bybit:1,okx:1&');
      expect(new Set(others).size).toBeLessThanOrEqual(1);
      await page.evaluate("location.hash = '#/carry'");
      await untilPlace(page, (hash) => hash.includes('spot_fees=binance:1,bybit:1,okx:1'));
      expect(asked.filter((search) => !search.includes('spot_fees'))).toEqual([]);
      await page.evaluate('localStorage.clear()');
    });

    it('no pair passes: said, with the way back to all', async () => {
      const made = await open('carry?min_oi=900b');
      await made.page.getByText('No pair passes these filters.').waitFor();
      await expectSound(made);
      await made.page.getByRole('link', { name: 'Take them off' }).click();
      await made.page.getByRole('table', { name: TABLE }).waitFor();
    });

    it('a service without spot: said, and not tried again', async () => {
      const { page } = await open('venues');
      const { title, status } = PROBLEM_ERRORS.unknown_route;
      await page.route(`**${SCAN}?*`, (route) => route.fulfill({ status, json: { title, detail: '' } }));
      await open('carry');
      await page.getByText('This service reads no spot markets').waitFor();
      await page.unroute(`**${SCAN}?*`);
    });

    it('a failed scan: its reason, and a retry', async () => {
      const made = await open('venues');
      const { page } = made;
      await page.route(`**${SCAN}?*`, (route) =>
        route.fulfill({ status: 503, json: { title: 'No fresh data', detail: '' } }),
      );
      await open('carry');
      await page.getByRole('heading', { name: 'No fresh data' }).waitFor();
      await page.unroute(`**${SCAN}?*`);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('table', { name: TABLE }).waitFor();
      made.faults.length = 0;
    });
  });

  describe('an asset', () => {
    it('spot: markets and borrow rates of the interface, reasons for null', async () => {
      const made = await open('asset?ticker=BTC');
      const { page } = made;
      const spotButton = page.getByRole('button', { name: 'spot', exact: true });
      await spotButton.focus();
      await page.keyboard.press('Enter');
      await untilPlace(page, (hash) => hash.includes('market=spot'));
      await page.getByRole('button', { name: 'spot', exact: true, pressed: true }).waitFor();
      expect(await spotButton.evaluate((button) => button === document.activeElement)).toBe(true);
      const spot = await read<SpotCurrentAnswer>('/v1/spot/current?ticker=BTC');
      const shown = await cellsOf(page, 'Spot markets of BTC', ['Venue', 'Quoted in', 'Bid', 'Spread']);
      expect(shown.map(([venue, quote]) => `${venue?.split(' ')[0]} ${quote}`).sort()).toEqual(
        spot.markets.map(({ venue, quote }) => `${venue} ${quote}`).sort(),
      );
      const stated = spot.markets.filter((market) => market.touch_reason !== null);
      expect(stated.length).toBeGreaterThan(0);
      expect(shown.filter(([, , bid]) => bid === 'not stated')).toHaveLength(stated.length);
      const { venues } = await read<SpotBorrowAnswer>('/v1/spot/borrow?ticker=BTC');
      const borrow = await cellsOf(page, 'Borrow rates of BTC', ['Venue', 'Now']);
      const reasons = venues.map(({ venue, reason }) => [venue, reason?.replaceAll('_', ' ')]);
      for (const [venue, reason] of reasons.filter(([, why]) => why !== undefined))
        expect(borrow).toContainEqual([venue, reason]);
      const { pairs } = await read<PerpCashCarryAnswer>('/v1/perp/cash-carry?ticker=BTC&limit=100');
      const carry = await cellsOf(page, 'Cash and carry of BTC', ['Perpetual on', 'All costs']);
      expect(carry.length).toBe(Math.min(25, pairs.length));
      await expectSound(made);
      await expectReadableInTheDark(made);
      await page.goBack();
      await page.getByRole('table', { name: 'BTC on each venue' }).waitFor();
    });

    it('one without a spot market: said once, and nothing else asked', async () => {
      const { page } = await open('nothing');
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${servers.operator}/#/asset?ticker=ETH&market=spot`);
      await page.getByText(/No spot market in dollars of crypto:ETH/).waitFor();
      expect(await page.getByRole('alert').count()).toBe(1);
      const ofSpot = asked.filter((path) => /spot|carry/.test(path));
      expect([...new Set(ofSpot)]).toEqual(['/v1/spot/current']);
    });

    it('another asset: its spot markets, by the same terms', async () => {
      const { page } = await open('asset?ticker=ETH&market=spot&hold=30&fees=okx:2');
      await page.getByLabel('Asset', { exact: true }).fill('BTC');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('table', { name: 'Spot markets of BTC' }).waitFor();
      const asked = new URL(page.url().replace('/#/', '/')).searchParams;
      expect([asked.get('ticker'), asked.get('market')]).toEqual(['BTC', 'spot']);
      expect([asked.get('hold'), asked.get('fees')]).toEqual(['30', 'okx:2']);
    });
  });

  describe('a pair', () => {
    const figure = (page: Page, title: string) =>
      page.getByLabel('The pair now').locator('div', { hasText: title }).locator('dd');

    it('bought spot: figures, legs and past of the interface; swapped', async () => {
      const made = await open('pair?ticker=BTC&short=okx&long=spot:bybit&size=5000');
      const { page } = made;
      const { pairs } = await read<PerpCashCarryAnswer>(
        '/v1/perp/cash-carry?ticker=BTC&venues=bybit,okx&direction=long_spot&notional_usd=5000',
      );
      const pair = pairs.find((row) => row.spot_venue === 'bybit' && row.perp_venue === 'okx');
      expect(pair?.gap.executable_bps).toEqual(expect.any(Number));
      expect(await figure(page, 'Entry gap').textContent()).toBe(`${bps(pair?.gap.executable_bps ?? 0)} bps`);
      expect(await figure(page, 'All costs').textContent()).toBe(`${pair?.all_in_cost_bps?.toFixed(2)} bps`);
      const legs = await cellsOf(page, 'Legs of the pair of BTC', ['Leg', 'Venue']);
      expect(legs.map(([leg, venue]) => [leg, venue?.split(' ')[0]])).toEqual([
        ['buy spot', 'bybit'],
        ['sell perpetual', 'okx'],
      ]);
      await page.getByRole('table', { name: 'Perpetual above spot, in the past' }).waitFor();
      await expectSound(made);
      await expectReadableInTheDark(made);
      await page.getByRole('button', { name: 'Swap' }).click();
      await untilPlace(page, (hash) => hash.includes('short=spot:bybit&long=okx'));
      await page.getByText('short spot, buy perp: spot on bybit').waitFor();
      expect(await figure(page, 'Borrow').textContent()).toMatch(/bps per 8 h$/);
      const amounts = page.getByLabel('Funding that was paid, and amounts');
      const limit = amounts.locator('div', { hasText: 'Can be borrowed' }).locator('dd');
      const sold = await read<PerpCashCarryAnswer>(
        '/v1/perp/cash-carry?ticker=BTC&venues=bybit,okx&direction=short_spot&notional_usd=5000',
      );
      const usd = sold.pairs.find((row) => row.spot_venue === 'bybit')?.borrow_limit_usd ?? Number.NaN;
      expect(await limit.textContent()).toBe(`$${(usd / 1e6).toFixed(1)}M`);
    });

    it('spot of no named venue: the best, named by the choice of legs', async () => {
      const { page } = await open('pair?ticker=BTC&long=spot', { viewport: NARROW });
      const { pairs } = await read<PerpCashCarryAnswer>(
        '/v1/perp/cash-carry?ticker=BTC&direction=long_spot&notional_usd=10000&limit=100',
      );
      const [best] = pairs;
      await page.getByText(`buy spot, short perp: spot on ${best?.spot_venue}`).waitFor();
      expect(await page.getByLabel('Short on').inputValue()).toBe(best?.perp_venue);
      expect(await page.getByLabel('Long on').inputValue()).toBe('spot');
    });

    it('two spot legs: refused with the reason', async () => {
      const made = await open('pair?ticker=BTC&short=spot&long=spot:okx');
      await made.page.getByText('Both legs are spot markets.').waitFor();
      await expectSound(made);
    });

    it('a leg of perpetuals chosen anew as spot: the other one stays', async () => {
      const { page } = await open('pair?ticker=BTC');
      const short = await page.getByLabel('Short on').inputValue();
      await page.getByLabel('Long on').selectOption('spot');
      await page.getByText('buy spot, short perp: spot on').waitFor();
      await untilPlace(page, (hash) => hash.includes(`short=${short}&long=spot`));
      expect(await page.getByLabel('Short on').inputValue()).toBe(short);
    });

    it('a size that perpetuals have not: left behind with the spot leg', async () => {
      const { page } = await open('pair?ticker=BTC&short=okx&long=spot:bybit&size=250000');
      const form = await page.getByRole('link', { name: 'Back-test it by rule' }).getAttribute('href');
      expect(form).toContain('p.size_usd=250000');
      await page.getByLabel('Long on').selectOption('binance');
      await untilPlace(page, (hash) => hash.endsWith('short=okx&long=binance'));
      expect(await page.getByLabel('Size of a leg').inputValue()).toBe('10000');
    });
  });

  it('spot of an asset: bought at once, kept over a reload', async () => {
    const { taken } = servers.example.paywall;
    const { page } = await visits.openAlone(
      `${servers.public}/#/asset?ticker=BTC&market=spot`,
      atExampleTime,
    );
    await page.getByText(/^Buy this view: 3 calls at once/).click();
    const sale = page.getByRole('region', { name: 'For sale: This view', exact: true });
    await sale.getByLabel('Cap of this tab, USD').fill('1');
    await sale.getByRole('button', { name: 'Pay $0.008' }).click();
    await page.getByRole('table', { name: 'Cash and carry of BTC' }).waitFor();
    await page.getByRole('region', { name: /^For sale/ }).waitFor({ state: 'detached' });
    expect(taken.map(({ resource }) => resource).sort()).toEqual([
      '/v1/perp/cash-carry?limit=100&ticker=BTC',
      '/v1/spot/borrow?ticker=BTC',
      '/v1/spot/current?ticker=BTC',
    ]);
    await page.reload();
    await page.getByRole('table', { name: 'Cash and carry of BTC' }).waitFor();
    expect(taken).toHaveLength(3);
  });
});
