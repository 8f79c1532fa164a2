import { describe, expect, it } from 'vitest';
import { ManualTime } from '../../../test/collect/manual-time.ts';
import { instrument, NOW, toy } from '../../../test/history/backfill-rig.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import { asMs, asRate } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import type { Timer } from '../../runtime/timer.ts';
import type { VenueRequest } from '../../venues/adapter.ts';
import type { BackfillEndpoint } from '../../venues/backfill-endpoint.ts';
import { BackfillThrottle } from './backfill-throttle.ts';
import { type ContractHistory, fetchContractHistory } from './contract-history.ts';

/** Points that an answer has at most. */
const POINTS = 12;
const FROM = asMs(NOW - 10 * DAY_MS);
/** It paid every hour until then, and pays every eight hours now. */
const CHANGED = NOW - 5 * DAY_MS;

/** When the contract paid from a time on, before another. */
function paymentsIn(from: number, to: number): readonly number[] {
  const times: number[] = [];
  for (let at = Math.ceil(from / HOUR_MS) * HOUR_MS; at < to; at += HOUR_MS) {
    if (at < CHANGED || at % (8 * HOUR_MS) === 0) times.push(at);
  }
  return times;
}

const all = paymentsIn(FROM, NOW);

const passingAtOnce: Timer = (_ms, run) => {
  const soon = setImmediate(run);
  return () => clearImmediate(soon);
};

/** All of a contract that a venue with this endpoint has. */
function fetchOf(endpoint: BackfillEndpoint): Promise<ContractHistory> {
  const { clock, timer } = new ManualTime(NOW);
  const sources = {
    ...{ adapter: { ...toy, backfill: [endpoint] }, instruments: () => new Map(), priority: 1 },
    timer: passingAtOnce,
    send: async (_venue: string, request: VenueRequest) =>
      ({ ok: true, value: { payload: request.path, receivedAt: NOW } }) as const,
    ...{ throttle: new BackfillThrottle(clock, timer), isUrgent: () => true },
    signal: new AbortController().signal,
  };
  return fetchContractHistory(sources, instrument('BTC'), FROM, NOW);
}

/** A venue of which the answer to any span is made of these times. */
async function fetchFrom(
  answerTo: (from: number, to: number) => readonly number[] | 'error',
  isLatestOnly = false,
) {
  const spans: (readonly [number, number])[] = [];
  const funding: BackfillEndpoint = {
    ...{ kind: 'funding', points: POINTS, ...(isLatestOnly && { isLatestOnly }) },
    request: ({ symbol }, from, to) => {
      spans.push([from, to]);
      return { method: 'GET', path: '/funding', symbol };
    },
    call: {
      name: 'funding',
      decode: () => {
        const out = emptyDecoded();
        const answer = answerTo(...(spans.at(-1) ?? [0, 0]));
        if (answer === 'error') out.rejects.push({ symbol: null, reason: 'error_body', detail: '10006' });
        else
          for (const time of answer) {
            out.funding.push({ symbol: 'BTC', time: asMs(time), rate: asRate(0.0001) });
          }
        return out;
      },
    },
  };
  const { decoded, requests, failed } = await fetchOf(funding);
  const times = [...new Set(decoded.funding.map(({ time }) => time))].sort((a, b) => a - b);
  return { times, requests, failed, spans };
}

describe('payments of a contract that paid more often than it does', () => {
  it.each([
    ['oldest', (from: number, to: number) => paymentsIn(from, to).slice(-POINTS)],
    ['newest', (from: number, to: number) => paymentsIn(from, to).slice(0, POINTS)],
  ])('are all fetched where a full answer leaves out the %s', async (_, answerTo) => {
    const { times, failed } = await fetchFrom(answerTo);
    expect(all.length).toBeGreaterThan(10 * POINTS);
    expect(times).toEqual(all);
    expect(failed).toEqual([]);
  });

  it('are asked for once where an answer has room to spare', async () => {
    const { times, spans } = await fetchFrom((from, to) => paymentsIn(from, to).slice(-(POINTS - 1)));
    expect(spans).toHaveLength(3);
    expect(times.length).toBeLessThan(all.length);
  });

  it('are asked for a bounded number of times where a venue answers the same to everything', async () => {
    const newest = paymentsIn(FROM, NOW).slice(-POINTS);
    const { times, requests } = await fetchFrom(() => newest);
    expect(times).toEqual(newest);
    expect(requests).toBeLessThan(10);
    const middle = (from: number, to: number) => Array(POINTS).fill(Math.floor((from + to) / 2));
    expect((await fetchFrom(middle)).requests).toBeLessThan(150);
  });

  it('are fetched once where a venue has its latest alone', async () => {
    const newest = paymentsIn(FROM, NOW).slice(-POINTS);
    const { times, requests } = await fetchFrom(() => newest, true);
    expect(times).toEqual(newest);
    expect(requests).toBe(1);
  });
});

describe('a page that is answered with an error under status 200', () => {
  it('is asked for again', async () => {
    let errors = 2;
    const { times, failed } = await fetchFrom((from, to) =>
      errors-- > 0 ? 'error' : paymentsIn(from, to).slice(0, POINTS),
    );
    expect(times).toEqual(all);
    expect(failed).toEqual([]);
  });

  it('leaves the kind incomplete where it stays one, and the pages after it are fetched', async () => {
    const listed = FROM + 3 * DAY_MS;
    const { times, failed } = await fetchFrom((from, to) =>
      from < listed ? 'error' : paymentsIn(from, to).slice(0, POINTS),
    );
    expect(failed).toEqual(['funding']);
    expect(times.length).toBeGreaterThan(0);
    expect(times).toEqual(all.filter((time) => time >= Math.min(...times)));
  });
});

/** A venue that lists its payments by page, the newest on the first. */
async function fetchPages(
  answerTo: (page: number) => readonly number[] | 'error',
  pages = 1000,
): Promise<ContractHistory & { readonly times: readonly number[] }> {
  const history = await fetchOf({
    ...{ kind: 'funding', points: POINTS, pages },
    request: ({ symbol }, _from, _to, page) => ({ method: 'GET', path: `${page}`, symbol }),
    call: {
      name: 'funding',
      decode: (payload) => {
        const out = emptyDecoded();
        const answer = answerTo(Number(payload));
        if (answer === 'error') out.rejects.push({ symbol: null, reason: 'error_body', detail: '10006' });
        else
          for (const time of answer) {
            out.funding.push({ symbol: 'BTC', time: asMs(time), rate: asRate(0.0001) });
          }
        return out;
      },
    },
  });
  return { ...history, times: history.decoded.funding.map(({ time }) => time).sort((a, b) => a - b) };
}

describe('payments that a venue lists by page', () => {
  const newestFirst = paymentsIn(FROM - 5 * DAY_MS, NOW).toReversed();
  const pageOf = (listed: readonly number[], page: number) =>
    listed.slice((page - 1) * POINTS, page * POINTS);

  it('are all fetched, as far as the span reaches back', async () => {
    const { times, requests, failed } = await fetchPages((page) => pageOf(newestFirst, page));
    expect(times).toEqual(all);
    expect(requests).toBe(Math.ceil((all.length + 1) / POINTS));
    expect(failed).toEqual([]);
  });

  it('end with a page that has room to spare, an empty one included', async () => {
    const listed = newestFirst.slice(0, 2 * POINTS + 1);
    expect(await fetchPages((page) => pageOf(listed, page))).toMatchObject({
      ...{ times: listed.toReversed(), requests: 3, failed: [] },
    });
    const full = newestFirst.slice(0, 2 * POINTS);
    expect(await fetchPages((page) => pageOf(full, page))).toMatchObject({ requests: 3, failed: [] });
  });

  it('are held once where one that comes meanwhile moves the pages', async () => {
    const { times } = await fetchPages((page) =>
      pageOf(page === 1 ? newestFirst.slice(1) : newestFirst, page),
    );
    expect(times).toEqual(all.slice(0, -1));
  });

  it('end where the venue answers the same to every number, and where it takes no further one', async () => {
    const newest = newestFirst.slice(0, POINTS);
    expect(await fetchPages(() => newest)).toMatchObject({ requests: 2, failed: [] });
    expect(await fetchPages((page) => pageOf(newestFirst, page), 4)).toMatchObject({ requests: 4 });
  });

  it('are asked for again where a page is an error, and incomplete where it stays one', async () => {
    let errors = 2;
    const again = await fetchPages((page) =>
      page === 2 && errors-- > 0 ? 'error' : pageOf(newestFirst, page),
    );
    expect(again).toMatchObject({ times: all, failed: [] });
    const { times, failed } = await fetchPages((page) => (page === 2 ? 'error' : pageOf(newestFirst, page)));
    expect(failed).toEqual(['funding']);
    const isLeftOut = (time: number) => pageOf(newestFirst, 2).includes(time);
    expect(times).toEqual(all.filter((time) => !isLeftOut(time)));
    const ended = await fetchPages((page) => (page > 1 ? 'error' : pageOf(newestFirst, page)));
    // Three tries of the first, one of the next.
    expect(ended).toMatchObject({ requests: 3, failed: ['funding'] });
    expect(ended.times).toHaveLength(POINTS);
  });
});
