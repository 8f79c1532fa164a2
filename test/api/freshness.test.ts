import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Route } from '../../src/api/route.ts';
import type { MarketRow } from '../../src/market/view.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { createExampleApi, requestOf } from './example-api.ts';
import { EXAMPLE_VENUES, exampleRows } from './example-market.ts';
import { createFakeMarket } from './fake-market.ts';
import { getRaw, json } from './raw-http.ts';

/** Answers over several venues say how many; the schema tells which these are. */
const OVER_VENUES = ROUTES.filter(({ answer }) => JSON.stringify(answer).includes('"venues_listed"'));

/** Live answers that do not rest on the rows of all venues that list an asset. */
const OTHERS: Readonly<Record<string, string>> = {
  'perp-spread-stats': 'two venues, chosen among fresh ones or named',
  'perp-funding-heatmap': 'what was settled',
  'perp-oracle-families': 'what venues document of their index',
  'backtest-pair': 'the past of two venues that are named',
  'perp-funding-forecast': 'the past of each venue that settles',
  'spot-current': 'bulk quotes of spot, each of which has an age of its own',
  'spot-depth': 'books of spot, each of which has an age of its own',
  'spot-borrow': 'what venues state of lending, once an hour',
  'perp-calendar': 'what venues changed in their lists, whether they are live or not',
  'watch-day': 'one condition, which is unknown where its rows are not fresh',
  'watch-month': 'the same',
  'stream-minute': 'minutes of a stream, which tells fresh rows alone',
  'stream-ten-minutes': 'the same',
  'stream-hour': 'the same',
  'stream-day': 'the same',
  contracts: 'what venues state of their contracts, however fresh their rows are',
  'bundles-asset': 'the answers of other routes, each as it is by itself',
  'bundles-pair': 'the answers of other routes, each as it is by itself',
  'bundles-matrix': 'the answers of other routes, each as it is by itself',
};

const isOfNamedVenue = ({ path, queryParameters }: Route): boolean =>
  path.includes('{venue}') || queryParameters.get('venue')?.required === true;

/** Fields that name venues of which there is nothing in the answer. */
const NAMES_AWAY: ReadonlySet<string> = new Set([
  'venues_not_live',
  'venues_missing',
  'open_interest_venues_missing',
]);

/** The request of a route's example, over all assets and venues where it can be. */
function overAll(route: Route): string {
  const asked = new URL(requestOf(route), 'http://example.invalid');
  for (const name of ['ticker', 'venue']) {
    if (route.queryParameters.get(name)?.required === false) asked.searchParams.delete(name);
  }
  return `${asked.pathname}${asked.search}`;
}

/** The example market where some venues have gone silent: not live, with rows that were fresh once. */
function withoutVenues(isAway: (venue: string) => boolean) {
  const venues = EXAMPLE_VENUES.map((venue) =>
    isAway(venue.info.id) ? { ...venue, status: 'stale' as const } : venue,
  );
  const rows = exampleRows().map((row): MarketRow => {
    return isAway(row.venue) ? { ...row, fresh: false, rateFresh: false } : row;
  });
  return createFakeMarket(venues, rows);
}

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

/** Asks every answer over several venues, while some are away. */
async function askAll(isAway: (venue: string) => boolean) {
  const market = withoutVenues(isAway);
  market.remember(market.rows());
  const { api, start } = createExampleApi({ mode: 'off', market });
  close = () => api.close();
  const base = await start();
  const answers = [];
  for (const route of OVER_VENUES) {
    answers.push({ id: route.id, access: route.access, response: await getRaw(base, overAll(route)) });
  }
  return answers;
}

describe('answers over several venues', () => {
  it('every live product: over several venues, one, or an alias', () => {
    const live = ROUTES.filter(
      ({ access, dependsOn }) => access === 'paid' && !['history', 'document'].includes(dependsOn),
    );
    const unclassed = live.filter(
      (route) => !OVER_VENUES.includes(route) && !isOfNamedVenue(route) && OTHERS[route.id] === undefined,
    );
    expect(unclassed.map(({ id }) => id)).toEqual([]);
    expect(OVER_VENUES.length).toBeGreaterThan(10);
  });

  it('no venue is live: nothing is sold', async () => {
    const answers = await askAll(() => true);
    const sold = answers.filter(({ access }) => access === 'paid');
    const refused = sold.map(({ id, response }) => [
      id,
      response.status,
      response.headers.get('retry-after'),
    ]);
    expect(refused).toEqual(sold.map(({ id }) => [id, 503, expect.stringMatching(/^\d+$/)]));
  });

  it('no venue is live: last values of a named one are sold', async () => {
    const { api, start } = createExampleApi({ mode: 'off', market: withoutVenues(() => true) });
    close = () => api.close();
    const base = await start();
    const named = ROUTES.filter(
      (route) => isOfNamedVenue(route) && ['table', 'second'].includes(route.dependsOn),
    );
    expect(named.map(({ id }) => id)).toEqual(['perp-funding-next', 'perp-open-interest', 'perp-volume-24h']);
    for (const route of named) {
      expect([route.id, (await getRaw(base, requestOf(route))).status]).toEqual([route.id, 200]);
    }
    expect((await getRaw(base, '/v1/funding/current?venue=binance')).status).toBe(200);
    const text = (path: string) => readFileSync(path, 'utf8').replace(/\s+/g, ' ');
    const rule =
      'leaves it out of every answer over several venues. Of one named venue the last values are sold for fifteen minutes';
    expect(text('README.md')).toContain(rule);
    expect(text('docs/feed.md')).toContain('its rows in no answer over several venues');
    expect(text('docs/answers.md')).toContain('use values of up to fifteen minutes');
    expect(`${text('README.md')} ${text('docs/feed.md')}`).not.toMatch(/rows (are )?not sold|no stale row/);
  });

  it('a named venue that is not live: no answer calls it fresh', async () => {
    const { api, start } = createExampleApi({ mode: 'off', market: withoutVenues(() => true) });
    close = () => api.close();
    const base = await start();
    const choosing = OVER_VENUES.filter(({ queryParameters }) => queryParameters.has('venue'));
    expect(choosing.map(({ id }) => id)).toContain('perp-funding-stats');
    for (const route of choosing) {
      const asked = new URL(requestOf(route), 'http://example.invalid');
      asked.searchParams.set('venue', 'binance');
      const response = await getRaw(base, `${asked.pathname}${asked.search}`);
      if (response.status === 503) continue;
      expect([route.id, response.status, json(response)]).toEqual([
        route.id,
        200,
        expect.objectContaining({ venues_considered: 0, venues_not_live: ['binance'] }),
      ]);
    }
  });

  it('one venue of all is live: no comparison and no scan is sold', async () => {
    const answers = await askAll((venue) => venue !== 'okx');
    const sold = answers.filter(({ response }) => response.status === 200).map(({ id }) => id);
    // A list of rows compares nothing, statistics are each venue's own, and the preview is free.
    const lists = ['funding-current', 'perp-funding-stats'];
    expect(sold.filter((id) => !lists.includes(id) && !id.startsWith('preview-'))).toEqual([]);
  });

  it('one venue is not live: it is named as such, and nothing of it is shown', async () => {
    const answers = await askAll((venue) => venue === 'binance');
    for (const { id, response } of answers) {
      expect([id, response.status]).toEqual([id, 200]);
      const body = json(response);
      expect(body, id).toMatchObject({ venues_not_live: expect.arrayContaining(['binance']) });
      const shown = JSON.stringify(body, (name, value) => (NAMES_AWAY.has(name) ? [] : value));
      expect(shown, id).not.toContain('"binance"');
    }
  });
});
