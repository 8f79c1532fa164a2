import { expect, it } from 'vitest';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import {
  type PaymentsReader,
  SettledAgainstShown,
} from '../../src/modules/second-reader/readings/settled-against-shown.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';

const PAID_AT = asMs(Date.UTC(2026, 10, 20, 16));
const after = (minutes: number): UnixMs => asMs(PAID_AT + minutes * MINUTE_MS);

/** A history to which payments are written some time after they were recorded; every rate that was shown is the same. */
function compared() {
  const written: { readonly symbol: string; readonly recordedAt: UnixMs }[] = [];
  const reader: PaymentsReader = {
    newPayments: async (from, to) => ({
      ok: true,
      value: written
        .filter(({ recordedAt }) => recordedAt > from && recordedAt <= to)
        .map(({ symbol }) => ({
          canonicalId: `crypto:${symbol}`,
          venue: 'okx',
          symbol,
          at: PAID_AT,
          rate: 0.0001,
          intervalHours: undefined,
        })),
    }),
    shownRates: async (ids, minutes) => ({
      ok: true,
      value: ids.flatMap((id) =>
        minutes.map((at) => ({ venue: 'okx', symbol: id.slice(7), at, rate: 0.0001 })),
      ),
    }),
  };
  const queue = { oldest: undefined as UnixMs | undefined };
  const settled = new SettledAgainstShown(
    { reader, intervalOf: () => undefined, waitingSince: () => queue.oldest },
    after(0),
  );
  const next = async (now: UnixMs): Promise<readonly string[]> =>
    (await settled.next(now))
      .filter(({ field }) => field === 'shown_minute_before')
      .map(({ symbol }) => symbol);
  return { written, queue, next };
}

it('a payment that waited to be written: compared once it is', async () => {
  const { written, queue, next } = compared();
  written.push({ symbol: 'A', recordedAt: after(1) });
  queue.oldest = after(3);
  expect(await next(after(5))).toEqual(['A']);
  written.push({ symbol: 'B', recordedAt: after(3) }, { symbol: 'C', recordedAt: after(7) });
  queue.oldest = undefined;
  expect(await next(after(10))).toEqual(['B', 'C']);
  expect(await next(after(15))).toEqual([]);
});

it('a clock set back, a long wait: no payment compared twice', async () => {
  const { written, queue, next } = compared();
  written.push({ symbol: 'A', recordedAt: after(1) });
  expect(await next(after(5))).toEqual(['A']);
  expect(await next(asMs(after(5) - HOUR_MS))).toEqual([]);
  queue.oldest = after(2);
  expect(await next(after(10))).toEqual([]);
  queue.oldest = undefined;
  written.push({ symbol: 'B', recordedAt: after(6) });
  expect(await next(after(15))).toEqual(['B']);
});
