import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BacktestPairAnswer } from '../../../packages/client/src/routes.ts';
import { EXAMPLE_NOW } from '../../../test/api/example-market.ts';
import { hasChromium } from '../../../test/web/browser.ts';
import { type PageServers, servePage } from '../../../test/web/page-servers.ts';
import { cellsOf, expectSound, openVisits, untilPlace, type Visits } from '../../../test/web/visit.ts';

const DAY_MS = 86_400_000;

/** Dollars to the cent, with their sign. */
const dollars = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? '–'
    : `${value > 0 ? '+' : value < 0 ? '−' : ''}$${Math.abs(value).toFixed(2)}`;

describe.skipIf(!hasChromium)('the view of a pair in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;
  /** A position that is held for so many whole days until the last midnight. */
  const backtest = async (short: string, long: string, days: number): Promise<BacktestPairAnswer> => {
    const to = Math.floor(EXAMPLE_NOW / DAY_MS) * DAY_MS;
    const start = new Date(to - days * DAY_MS).toISOString();
    const end = new Date(to).toISOString();
    const rule = `enter_bps=-1000&exit_bps=-1001&max_hold_hours=${days * 24}&size_usd=5000`;
    const asked = `ticker=BTC&short=${short}&long=${long}&from=${start}&to=${end}&${rule}`;
    const answer = await fetch(`${servers.operator}/v1/backtest/pair?${asked}`);
    return answer.json() as Promise<BacktestPairAnswer>;
  };
  const open = (place: string) => visits.open(`${servers.operator}/#/${place}`);

  beforeAll(async () => {
    servers = await servePage();
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  it('a pair: earned as in the backtest, reversed when swapped', async () => {
    const made = await open('pair?ticker=BTC&short=okx&long=binance&size=5000&days=7');
    const { page } = made;
    const caption = 'Earnings of the pair by time held';
    const titles = ['Position', 'Short leg', 'Long leg', 'Fees', 'Slippage', 'Prices', 'Net', 'Drawdown'];
    const positionsOf = async (short: string, long: string) =>
      Promise.all([1, 7, 30].map(async (days) => [days, await backtest(short, long, days)] as const));
    const rowOf = ([days, answer]: readonly [number, BacktestPairAnswer]): readonly string[] => [
      `${days} d`,
      ...[answer.short_funding_usd, answer.long_funding_usd, answer.fees_usd].map(dollars),
      ...[answer.slippage_usd, answer.price_usd, answer.net_usd].map(dollars),
      dollars(answer.max_drawdown_usd && -answer.max_drawdown_usd),
    ];
    await page.getByRole('table', { name: caption }).waitFor();
    const there = await positionsOf('okx', 'binance');
    expect(await cellsOf(page, caption, titles)).toEqual(there.map(rowOf));
    const [, [, week] = []] = there;
    expect(week).toMatchObject({ trades_count: 1, hours_held: 168, unknown: 0 });
    // The example's books of the past cost 1.2 bps a fill at this size.
    expect(week?.slippage_usd).toBeCloseTo((-4 * 1.2 * 5000) / 10_000, 6);
    const days = await cellsOf(page, 'Earnings of the pair by day', ['Day', 'Short leg', 'Long leg', 'Net']);
    expect(days).toEqual(
      week?.days
        .toReversed()
        .map((day) => [day.date, ...[day.short_funding_usd, day.long_funding_usd, day.net_usd].map(dollars)]),
    );
    await page.getByRole('button', { name: 'Swap' }).click();
    const back = await positionsOf('binance', 'okx');
    const [first] = back.map(([, answer]) => dollars(answer.short_funding_usd));
    await page
      .getByRole('cell', { name: first ?? '', exact: true })
      .first()
      .waitFor();
    expect(await cellsOf(page, caption, titles)).toEqual(back.map(rowOf));
    await expectSound(made);
  });

  it('a size beyond the stored books: refused until a slippage is assumed', async () => {
    const { page } = await open('venues');
    const backtests = '**/v1/backtest/pair?*';
    await page.route(backtests, async (route) => {
      const url = new URL(route.request().url());
      // Nothing that is stored holds so large a size.
      url.searchParams.set('size_usd', '1000000');
      await route.fulfill({ response: await route.fetch({ url: url.href }) });
    });
    await open('pair?ticker=BTC&short=okx&long=binance');
    const caption = 'Earnings of the pair by time held';
    const shown = () => cellsOf(page, caption, ['Slippage']);
    // The service says what it needs before anything is bought.
    await page.getByText('assumed_slippage_bps').first().waitFor();
    const asked = page.waitForRequest(backtests);
    await page.getByLabel('Assumed slippage').fill('2');
    // Typed text stays while the figures around it are read anew.
    await page.waitForResponse('**/v1/perp/snapshot?*');
    await page.waitForResponse('**/v1/perp/snapshot?*');
    expect(await page.getByLabel('Assumed slippage').inputValue()).toBe('2');
    await page.getByLabel('Assumed slippage').press('Enter');
    expect((await asked).url()).toContain('assumed_slippage_bps=2');
    await untilPlace(page, (hash) => hash.includes('assume=2'));
    await page.getByRole('cell', { name: '\u2212$800.00', exact: true }).first().waitFor();
    for (const [slippage] of await shown()) expect(slippage).toBe('\u2212$800.00');
    const fills = await cellsOf(page, 'What the earnings are made of', ['Fills assumed']);
    expect(fills).toEqual([['4'], ['4'], ['4']]);
    await page.unroute(backtests);
  });
});
