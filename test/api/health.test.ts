import { expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { emptyFeedCounts } from '../../src/feed/ports.ts';
import { routeTableOf } from '../../src/host/route-table.ts';
import { boolean, integer } from '../../src/products/answer/schema.ts';
import { at } from './documented-schema.ts';
import { createExampleApi } from './example-api.ts';
import { EXAMPLE_NOW, EXAMPLE_VENUES, exampleRows } from './example-market.ts';
import { calmHealth, createFakeMarket } from './fake-market.ts';

const REASON = 'the event loop was busy for 97 % of the time and late by 1.20 s';

const ALL_LIVE = calmHealth(
  EXAMPLE_VENUES.map((venue) => ({ ...venue, status: 'live' })),
  EXAMPLE_NOW,
);

async function healthWith(level: number): Promise<unknown> {
  const since = asMs(Date.UTC(2026, 10, 20));
  const load = () => ({ lagSeconds: 1.2, level, since, reason: level === 0 ? undefined : REASON });
  const { api, start } = createExampleApi({ load, health: ALL_LIVE });
  const answer: unknown = await (await fetch(`${await start()}/v1/health`)).json();
  await api.close();
  return answer;
}

it('a service that sheds load: degraded, with cause and time', async () => {
  expect(await healthWith(2)).toMatchObject({
    status: 'degraded',
    event_loop_lag_seconds: 1.2,
    overload: {
      level: 2,
      shed: ['backfill', 'unread_books'],
      since: '2026-11-20T00:00:00.000Z',
      reason: REASON,
    },
  });
});

it('one that sheds none any more is well again', async () => {
  expect(await healthWith(0)).toMatchObject({ status: 'ok', overload: { level: 0, shed: [], reason: null } });
});

it('a venue collected no more: not counted, graded or listed', async () => {
  const venues = EXAMPLE_VENUES.map((venue) =>
    venue.info.id === 'vertex' ? { ...venue, status: 'down' as const, isRetired: true } : venue,
  );
  const market = createFakeMarket(venues, exampleRows());
  const { api, start } = createExampleApi({ market, health: ALL_LIVE });
  const base = await start();
  const paths = ['/v1/health', '/v1/venues/list', '/v1/venues/health', '/v1/data-quality/summary'];
  const answers = await Promise.all(paths.map(async (path) => (await fetch(base + path)).json()));
  await api.close();
  expect(answers[0]).toMatchObject({
    status: 'ok',
    venues: { live: EXAMPLE_VENUES.length - 1, stale: 0, down: 0 },
  });
  for (const answer of answers) {
    expect(JSON.stringify(answer)).toContain('"binance"');
    expect(JSON.stringify(answer)).not.toContain('"vertex"');
  }
});

it('one without all published facts: names venues, and is degraded', async () => {
  const feed = {
    kind: 'nats',
    ok: true,
    held: [],
    behind: ['okx'],
    unreached: [],
    counts: emptyFeedCounts(),
  } as const;
  const { api, start } = createExampleApi({ feed: () => feed, health: ALL_LIVE });
  const answer: unknown = await (await fetch(`${await start()}/v1/health`)).json();
  await api.close();
  expect(answer).toMatchObject({ status: 'degraded', feed: { kind: 'nats', holds: 0, behind: ['okx'] } });
});

it('parts of a module: behind the named fields, degraded by one', async () => {
  const parts = [
    { after: 'rows', fields: { greeters: integer('Greeters') }, read: () => ({ greeters: 2 }) },
    {
      within: 'store',
      after: 'lost_rows',
      fields: { greets: boolean('Whether it greets'), greeted: integer('Those greeted') },
      read: () => ({ greets: false, greeted: 0 }),
      isWell: () => false,
    },
  ] as const;
  const { routes } = await routeTableOf([{ products: async () => ({ health: parts }) }]);
  const { api, start } = createExampleApi({ routes, health: ALL_LIVE });
  const base = await start();
  const answer = (await (await fetch(`${base}/v1/health`)).json()) as { store: object };
  const document: unknown = await (await fetch(`${base}/openapi.json`)).json();
  await api.close();
  expect(answer).toMatchObject({ status: 'degraded', greeters: 2, store: { greets: false, greeted: 0 } });
  const names = Object.keys(answer);
  expect(names[names.indexOf('rows') + 1]).toBe('greeters');
  expect(Object.keys(answer.store).slice(-3)).toEqual(['lost_rows', 'greets', 'greeted']);
  expect(JSON.stringify(at(document, ['components', 'schemas', 'HealthStore']))).toContain('Those greeted');
});
