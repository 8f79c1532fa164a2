import { expect, it } from 'vitest';
import { instrument, NOW, rig, toy, until } from '../../../test/history/backfill-rig.ts';
import { failed } from '../../collect/transport-failure.ts';
import { makeRow } from '../../market/row-fixture.ts';
import type { MarketRow } from '../../market/view.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import { pastFill } from './backfill-state.ts';

const dex: VenueAdapter = { ...toy, id: 'toy-dex', parent: 'toy' };
const rowOf = (venue: string): MarketRow =>
  makeRow({ venue, symbol: 'BTC', ticker: 'BTC', canonicalId: 'crypto:BTC', volumeUsd: 1e6 });

/** A back-fill of one contract of each venue that there is at the time. */
function ofVenues(failing = '') {
  const venues: VenueAdapter[] = [toy];
  const asked: string[] = [];
  const made = rig({
    venues: () => [...venues],
    rows: () => [rowOf('toy'), rowOf('toy-dex')],
    instruments: (venue) => new Map([['BTC', { ...instrument('BTC'), venue }]]),
    contractsPerVenue: 1,
    send: async (venue) => {
      asked.push(venue);
      return venue === failing
        ? failed('status', 'HTTP 500')
        : { ok: true, value: { payload: {}, receivedAt: NOW } };
    },
  });
  return { ...made, venues, asked };
}

it('a venue found later: back-filled within ten seconds, once', async () => {
  const { backfill, venues, asked, taken, time } = ofVenues();
  backfill.start();
  await until(time, () => backfill.state().done === 1);
  expect(pastFill(backfill.state()).percent).toBe(100);
  venues.push(dex);
  await until(time, () => asked.includes('toy-dex'));
  expect(time.now - NOW).toBeLessThanOrEqual(10_000);
  await until(time, () => backfill.state().done === 2);
  await until(time, () => time.now - NOW > 60_000);
  expect(taken.map(({ samples }) => samples[0]?.venue)).toEqual(['toy', 'toy-dex']);
  await backfill.stop();
});

it('a venue that is gone: asked no more, and not called incomplete', async () => {
  const { backfill, venues, asked, time } = ofVenues('toy-dex');
  venues.push(dex);
  backfill.start();
  await until(time, () => backfill.state().incomplete[0]?.contracts === 1);
  expect(backfill.state().incomplete).toEqual([{ venue: 'toy-dex', contracts: 1 }]);
  venues.splice(1);
  await until(time, () => backfill.state().incomplete.length === 0);
  await backfill.finished();
  expect(pastFill(backfill.state())).toMatchObject({ percent: 100, priorityPercent: 100, incomplete: [] });
  const before = asked.length;
  await until(time, () => time.now - NOW > 600_000);
  expect(asked.length).toBe(before);
  await backfill.stop();
});

it('the back-fill takes a venue up again that comes back', async () => {
  const { backfill, venues, asked, time } = ofVenues();
  venues.push(dex);
  backfill.start();
  await until(time, () => backfill.state().done === 2);
  venues.splice(1);
  await until(time, () => backfill.state().contracts === 1);
  const before = asked.length;
  venues.push(dex);
  await until(time, () => backfill.state().done === 2);
  expect(asked.slice(before)).toContain('toy-dex');
  await backfill.stop();
});
