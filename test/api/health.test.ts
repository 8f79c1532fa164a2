import { expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { emptyFeedCounts } from '../../src/feed/ports.ts';
import { createExampleApi } from './example-api.ts';
import { EXAMPLE_NOW, EXAMPLE_VENUES } from './example-market.ts';
import { calmHealth } from './fake-market.ts';

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

it('a service that sheds load says so: degraded, what is given up, since when and why', async () => {
  expect(await healthWith(2)).toMatchObject({
    status: 'degraded',
    event_loop_lag_seconds: 1.2,
    overload: {
      ...{ level: 2, shed: ['backfill', 'unread_books'] },
      ...{ since: '2026-11-20T00:00:00.000Z', reason: REASON },
    },
  });
});

it('one that sheds none any more is well again', async () => {
  expect(await healthWith(0)).toMatchObject({ status: 'ok', overload: { level: 0, shed: [], reason: null } });
});

it('one whose venue is collected no more is well, and neither counts nor grades it', async () => {
  const health = {
    all: () => ALL_LIVE.all(),
    of: (id: string) => {
      const known = ALL_LIVE.of(id);
      return known && id === 'vertex' ? { ...known, status: 'down' as const, retired: true as const } : known;
    },
  };
  const { api, start } = createExampleApi({ health });
  const answer = (await (await fetch(`${await start()}/v1/health`)).json()) as Record<string, unknown>;
  await api.close();
  expect(answer).toMatchObject({
    status: 'ok',
    venues: { live: EXAMPLE_VENUES.length - 1, stale: 0, down: 0 },
  });
  expect(JSON.stringify(answer.grades)).not.toContain('vertex');
  expect(answer.grades).toHaveLength(EXAMPLE_VENUES.length - 1);
});

it('one that has not all that is published says of which venues, and is degraded', async () => {
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
