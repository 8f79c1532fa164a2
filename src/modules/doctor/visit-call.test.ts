import { expect, it } from 'vitest';
import { makeBudget, signal } from '../../../test/collect/budget-rig.ts';
import { tinyVenue } from '../../../test/collect/tiny-venue.ts';
import type { Transport } from '../../collect/http-client.ts';
import type { CallRecord } from './venue-probe.ts';
import { VisitCall } from './visit-call.ts';

const SLOW_MS = 7000;

it('an answer that takes seven seconds: it came when it was there', async () => {
  const { time, budget } = makeBudget({ pools: [{ name: 'default', limit: 1000, perMs: 1000 }] });
  const http: Transport = {
    send: async () => {
      await time.advance(SLOW_MS);
      return { result: { ok: true, value: [] }, headers: {}, bytes: 2, durationMs: SLOW_MS };
    },
    close: async () => {},
  };
  const adapter = tinyVenue('v', 'http://127.0.0.1:9', { polls: [] });
  const visit = new VisitCall({ adapter, bases: adapter.bases, http, budget, clock: time.clock, signal });
  const asked = time.clock.now();
  const record = { asked: 0, answered: 0, dates: [], failures: new Set() } as unknown as CallRecord;
  const outcome = await visit.send(record, { method: 'GET', path: '/a' }, { weight: 1, maxBytes: 1000 });
  expect(outcome).toEqual({ ok: true, value: { payload: [], receivedAt: asked + SLOW_MS } });
});
