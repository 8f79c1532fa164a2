import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  OrderbookMultiVenueSlippageAnswer,
  PerpFundingHeatmapAnswer,
} from '../../packages/client/src/routes.ts';
import type { FundingRow } from '../../web/data/funding.ts';
import { EXAMPLE_NOW, EXAMPLE_VENUES } from '../api/example-market.ts';
import { calmHealth } from '../api/fake-market.ts';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import {
  cellsOf,
  expectQuiet,
  expectSound,
  openVisits,
  tableTexts,
  untilPlace,
  type Visits,
} from './visit.ts';

const signed = (value: number | null | undefined, digits: number): string =>
  value === null || value === undefined
    ? '–'
    : `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(digits)}`;

/** Health of the example venues, one of which sent what could not be read. */
function healthWithRejects() {
  const calm = calmHealth(EXAMPLE_VENUES, EXAMPLE_NOW);
  const all = calm
    .all()
    .map((row) =>
      row.venue === 'okx' ? { ...row, rejects5m: 4, rejectsByReason: { malformed: 4, dated: 210 } } : row,
    );
  return { all: () => all, of: (id: string) => all.find(({ venue }) => venue === id) };
}

describe.skipIf(!hasChromium)('comparing by the page in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;
  const read = async <Body>(path: string): Promise<Body> =>
    (await fetch(servers.operator + path)).json() as Promise<Body>;
  const open = (place: string) => visits.open(`${servers.operator}/#/${place}`);
  beforeAll(async () => {
    servers = await servePage({ health: healthWithRejects() });
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  it('the matrix: means of payments, unknown for a short past', async () => {
    const made = await open('matrix?table=1&q=BTC&period=7d');
    const { page } = made;
    const { rates } = await read<{ rates: readonly FundingRow[] }>(
      '/v1/funding/current?symbol=BTC&include_uncomparable=true&settled_means=true',
    );
    const venues = rates.map(({ venue }) => venue);
    const written = (value: number | null | undefined): string =>
      value === null || value === undefined ? 'unknown' : signed(value * 100, 4);
    await page
      .getByRole('cell', { name: written(rates[0]?.settled_means?.rate_8h_7d) })
      .first()
      .waitFor();
    const means = rates.map(({ settled_means }) => written(settled_means?.rate_8h_7d));
    expect(means.filter((text) => text !== 'unknown').length).toBeGreaterThan(2);
    expect(await cellsOf(page, 'Funding matrix', venues)).toEqual([means]);
    await page.getByRole('button', { name: '30 d', exact: true }).click();
    await untilPlace(page, (hash) => hash.includes('period=30d'));
    expect(await cellsOf(page, 'Funding matrix', venues)).toEqual([rates.map(() => 'unknown')]);
    expectQuiet(made);
  });

  it('the matrix: how much of a spread persists, sorted both ways', async () => {
    const { page } = await open('matrix?table=1&class=crypto');
    const { rates } = await read<{ rates: readonly FundingRow[] }>(
      '/v1/funding/current?symbol=BTC&settled_means=true',
    );
    const known = rates.filter(({ rate_8h }) => rate_8h !== null);
    const [low, high] = [Math.min, Math.max].map((pick) => {
      const rate = pick(...known.map(({ rate_8h }) => rate_8h ?? 0));
      return known.find(({ rate_8h }) => rate_8h === rate);
    });
    const week = (row: FundingRow | undefined): number => row?.settled_means?.rate_8h_7d ?? Number.NaN;
    const persists = (week(high) - week(low)) / ((high?.rate_8h ?? 0) - (low?.rate_8h ?? 0));
    const shown = signed(persists * 100, 1).replace('+', '');
    await page.getByRole('row', { name: /^BTC/ }).getByRole('cell', { name: shown }).waitFor();
    const held = page.getByRole('button', { name: /^Held 7 d/ });
    const orders: (string | undefined)[][] = [];
    for (const order of ['-held', 'held']) {
      await held.click();
      await untilPlace(page, (hash) => hash.includes(`sort=${order}`));
      // A worker orders the rows.
      await page
        .locator(`th[aria-sort=${order === 'held' ? 'ascending' : 'descending'}]`, { has: held })
        .waitFor();
      orders.push((await cellsOf(page, 'Funding matrix', ['Held'])).flat().filter((text) => text !== '–'));
    }
    expect(orders[0]?.length).toBeGreaterThan(1);
    expect(orders[1]).toEqual(orders[0]?.toReversed());
  });

  it('the heatmap: settled by day, as the interface, as a table', async () => {
    const { assets, columns } = await read<PerpFundingHeatmapAnswer>(
      '/v1/perp/funding-heatmap?step=1d&limit=20&venue=binance',
    );
    const made = await open('heatmap?venue=binance');
    const { page } = made;
    const canvas = page.getByRole('application', { name: `Heatmap of ${assets.length} assets` });
    await canvas.focus();
    await page.keyboard.press('ArrowDown');
    const second = assets[1];
    const last = second?.values_8h_bps.at(-1) ?? null;
    const text = last === null ? 'no payment is known' : `${Math.abs(last).toFixed(2)} bps`;
    await page.getByText(new RegExp(`^${second?.ticker}, .* UTC.*${text}`)).waitFor();
    await expectSound(made);
    await page.getByRole('button', { name: 'As table' }).click();
    await untilPlace(page, (hash) => hash.includes('table=1'));
    const rows = await cellsOf(
      page,
      'Funding heatmap',
      columns.map((start) => start.slice(0, 10)),
    );
    const written = (value: number | null): string =>
      value === null ? '–' : `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`;
    expect(rows).toEqual(assets.map(({ values_8h_bps }) => values_8h_bps.map(written)));
    expect(rows.flat().some((cell) => cell !== '–')).toBe(true);
    await canvas.waitFor({ state: 'detached' });
  });

  it('the heatmap of one venue: asked for, for sale in public', async () => {
    const { page } = await open('heatmap?venue=hyperliquid&step=1h');
    await page.getByRole('application', { name: /^Heatmap of/ }).waitFor();
    const sold = await visits.open(`${servers.public}/#/heatmap`);
    await sold.page.getByRole('region', { name: 'For sale: The funding heatmap' }).waitFor();
  });

  it('chosen columns: in the address, and there the next time', async () => {
    const { page } = await open('matrix?table=1');
    await page.getByText('Columns: all').click();
    for (const name of ['Spread', 'Open interest']) await page.getByLabel(name, { exact: true }).check();
    await page.getByText('Venues: all').click();
    await page.getByLabel('okx', { exact: true }).check();
    await untilPlace(page, (hash) => hash.includes('cols=spread,oi') && hash.includes('venues=okx'));
    await open('matrix');
    await untilPlace(page, (hash) => hash.includes('cols=spread,oi') && hash.includes('venues=okx'));
    await page.getByRole('button', { name: /Sort by okx/ }).waitFor();
    expect(await page.locator('.grid-head button').count()).toBe(4);
    await open('matrix?table=1');
    const [head = []] = await tableTexts(page, 'Funding matrix');
    expect(head.length).toBeGreaterThan(8);
    await page.locator('html').evaluate(() => Reflect.get(globalThis, 'localStorage').clear());
  });

  it('an asset: namesakes, its own history and depth', async () => {
    const { page } = await open('asset?ticker=SPX&id=index:SPX');
    const { venues, same_ticker } = await read<{
      venues: { venue: string; venue_symbol: string }[];
      same_ticker: { canonical_id: string; venues: string[] }[];
    }>('/v1/perp/snapshot?ticker=index:SPX');
    const other = same_ticker[0]?.canonical_id ?? '';
    expect(other).toBe('crypto:SPX6900');
    expect(new Set(await cellsOf(page, 'What SPX is at each venue', ['Venue', 'Contract', 'What']))).toEqual(
      new Set([
        ...venues.map((row) => [row.venue, row.venue_symbol, 'index:SPX']),
        ...same_ticker.flatMap((row) => row.venues.map((venue) => [venue, '–', `${other}: another asset`])),
      ]),
    );
    await page.getByRole('img', { name: /^Funding;/ }).waitFor();
    await page
      .getByRole('link', { name: `${other}: another asset` })
      .first()
      .click();
    await page.getByText(other, { exact: true }).first().waitFor();
  });

  it('an asset has the depth of each book, as the interface has it', async () => {
    const { page } = await open('asset?ticker=BTC');
    await page.getByRole('img', { name: /^Depth of the books/ }).waitFor();
    await page.locator('figure', { hasText: 'Depth USD' }).getByText('Numbers').click();
    const { venues } = await read<OrderbookMultiVenueSlippageAnswer>(
      '/v1/orderbook/multi-venue-slippage?ticker=BTC&ladder=true',
    );
    const short = new Intl.NumberFormat('en-US', {
      notation: 'compact',
      minimumSignificantDigits: 3,
      maximumSignificantDigits: 3,
    });
    const shown = await cellsOf(page, 'Depth of BTC by distance from the mid', [
      ...['Venue', 'Bids USD, 100 bps', 'Asks USD, 5 bps'],
    ]);
    expect(shown).toEqual(
      venues.map(({ venue, ladder = [] }) => {
        const at = (bps: number) => ladder.find(({ within_bps }) => within_bps === bps);
        return [venue, `$${short.format(at(100)?.bid_usd ?? 0)}`, `$${short.format(at(5)?.ask_usd ?? 0)}`];
      }),
    );
  });

  it('the venues: what was left out and why, and the stored past', async () => {
    const { page } = await open('venues?sort.rejects=-times');
    expect(
      await cellsOf(page, 'What was left out of each venue, by reason', ['Venue', 'Kind', 'Reason', 'Times']),
    ).toEqual([
      ['okx', 'out of scope', 'dated', '210'],
      ['okx', 'fault', 'malformed', '4'],
    ]);
    const health =
      await read<{ venue: string; settled_contracts: number; rejects_5m: number }[]>('/v1/venues/health');
    expect(health.some(({ settled_contracts }) => settled_contracts > 2)).toBe(true);
    const shown = await cellsOf(page, 'Health of each venue', ['Venue', 'History', 'Rejects']);
    expect(new Set(shown)).toEqual(
      new Set(health.map((row) => [row.venue, String(row.settled_contracts), String(row.rejects_5m)])),
    );
  });
});
