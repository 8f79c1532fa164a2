import { expect, it } from 'vitest';
import { instrument, NOW, rig, toy, until } from '../../../test/history/backfill-rig.ts';
import type { VenueCall } from '../../venues/call.ts';

/** The rig's venue, without the payments of a day and a half. */
function withGap() {
  const { backfill = [] } = toy;
  const [funding] = backfill;
  if (funding === undefined) throw new Error('the venue has no payments');
  const decode: VenueCall['decode'] = (payload, context) => {
    const decoded = funding.call.decode(payload, context);
    const isThere = ({ time }: { readonly time: number }) =>
      time < NOW - 60 * 3_600_000 || time > NOW - 24 * 3_600_000;
    return { ...decoded, funding: decoded.funding.filter(isThere) };
  };
  return { ...toy, backfill: [{ ...funding, call: { ...funding.call, decode } }] };
}

it('payments that never come: asked for in three rounds, then told', async () => {
  const { backfill, asked, taken, time } = rig({
    venues: () => [withGap()],
    instruments: () => new Map([['BTC', instrument('BTC')]]),
    contractsPerVenue: 1,
  });
  backfill.start();
  await until(time, () => backfill.state().incomplete.length === 1);
  expect(backfill.state()).toMatchObject({ done: 0, missing: [] });
  await until(time, () => backfill.state().done === 1);
  expect(time.now - NOW).toBeGreaterThan(60_000);
  expect(backfill.state()).toMatchObject({ done: 1, incomplete: [] });
  const [missing] = backfill.state().missing;
  expect(missing).toMatchObject({ venue: 'toy', contracts: 1 });
  expect(missing?.hours).toBeGreaterThan(32);
  expect(taken.at(-1)?.settlements).toHaveLength(8);
  const before = asked.length;
  await until(time, () => time.now - NOW > 3_600_000);
  expect(asked.length).toBe(before);
  await backfill.stop();
});
