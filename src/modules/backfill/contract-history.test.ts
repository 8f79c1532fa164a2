import { describe, expect, it } from 'vitest';
import { ManualTime } from '../../../test/collect/manual-time.ts';
import { instrument, NOW, toy } from '../../../test/history/backfill-rig.ts';
import { BackgroundThrottle } from '../../collect/background-throttle.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import { asMs, asRate } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import type { Timer } from '../../runtime/timer.ts';
import type { VenueRequest } from '../../venues/adapter.ts';
import type { BackfillEndpoint } from '../../venues/backfill-endpoint.ts';
import { type ContractHistory, fetchContractHistory } from './contract-history.ts';

/** Points that an answer has at most. */
const POINTS = 12;
const FROM = asMs(NOW - 10 * DAY_MS);
/** It paid every hour until then, and pays every eight hours now. */
const CHANGED = NOW - 5 * DAY_MS;

function hoursIn(from: number, to: number): readonly number[] {
  const times: number[] = [];
  for (let at = Math.ceil(from / HOUR_MS) * HOUR_MS; at < to; at += HOUR_MS) times.push(at);
  return times;
}

/** When the contract paid from a time on, before another. */
const paymentsIn = (from: number, to: number): readonly number[] =>
  hoursIn(from, to).filter((at) => at < CHANGED || at % (8 * HOUR_MS) === 0);

const all = paymentsIn(FROM, NOW);

const passingAtOnce: Timer = (_ms, run) => {
  const soon = setImmediate(run);
  return () => clearImmediate(soon);
};

/** All of a contract that a venue with this endpoint has. */
function fetchOf(endpoint: BackfillEndpoint): Promise<ContractHistory> {
  const { clock, timer } = new ManualTime(NOW);
  const sources = {
    adapter: { ...toy, backfill: [endpoint] },
    instruments: () => new Map(),
    priority: 1,
    timer: passingAtOnce,
    send: async (_venue: string, request: VenueRequest) =>
      ({ ok: true, value: { payload: request.path, receivedAt: NOW } }) as const,
    throttle: new BackgroundThrottle(clock, timer),
    isUrgent: () => true,
    signal: new AbortController().signal,
  };
  return fetchContractHistory(sources, instrument('BTC'), FROM, NOW);
}

/** A venue whose answer to any span consists of these times. */
async function fetchFrom(
  answerTo: (from: number, to: number) => readonly number[] | 'error',
  isLatestOnly = false,
) {
  const spans: (readonly [number, number])[] = [];
  const funding: BackfillEndpoint = {
    kind: 'funding',
    points: POINTS,
    ...(isLatestOnly && { isLatestOnly }),
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
  const { decoded, requests, failed, missing } = await fetchOf(funding);
  const times = [...new Set(decoded.funding.map(({ time }) => time))].sort((a, b) => a - b);
  return { times, requests, failed, missing, spans };
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

  it.each([
    ['oldest', (from: number, to: number) => paymentsIn(from, to).slice(-3)],
    ['newest', (from: number, to: number) => paymentsIn(from, to).slice(0, 3)],
  ])('answers with room to spare that leave out the %s: all is fetched', async (_, answerTo) => {
    const { times, failed, missing } = await fetchFrom(answerTo);
    expect(times).toEqual(all);
    expect({ failed, missing }).toEqual({ failed: [], missing: [] });
  });

  it('short answers that leave nothing out: one request a page', async () => {
    const { spans, failed, missing } = await fetchFrom((from, to) =>
      hoursIn(from, to).filter((time) => time % (12 * HOUR_MS) === 0),
    );
    expect(spans).toHaveLength(3);
    expect({ failed, missing }).toEqual({ failed: [], missing: [] });
  });

  it('an empty answer between others: asked for again, and told', async () => {
    const hole = [FROM + DAY_MS, FROM + 2 * DAY_MS] as const;
    const isThere = (time: number) => time < hole[0] || time >= hole[1];
    const { times, failed, missing } = await fetchFrom((from, to) =>
      paymentsIn(from, to).filter(isThere).slice(0, POINTS),
    );
    expect(times).toEqual(all.filter(isThere));
    expect(failed).toEqual(['funding']);
    expect(missing).toEqual([expect.objectContaining({ kind: 'funding', reason: 'empty' })]);
    let asked = 0;
    const again = await fetchFrom((from, to) => {
      const answer = paymentsIn(from, to);
      // Once it is empty, and later it is not.
      return answer.length > 0 && from > hole[0] && ++asked === 1 ? [] : answer.slice(0, POINTS);
    });
    expect(again).toMatchObject({ times: all, failed: [], missing: [] });
  });

  it('answers of another time than asked for: incomplete, and told', async () => {
    const newest = paymentsIn(FROM, NOW).slice(-3);
    const { times, failed, missing } = await fetchFrom(() => newest);
    expect(times).toEqual(newest);
    expect(failed).toEqual(['funding']);
    expect(missing.map(({ reason }) => reason)).toContain('outside');
  });

  it('no payment before a listing: complete, and told', async () => {
    const listed = FROM + 6 * DAY_MS;
    const { times, failed, missing } = await fetchFrom((from, to) =>
      paymentsIn(Math.max(from, listed), to).slice(0, POINTS),
    );
    expect(times).toEqual(all.filter((time) => time >= listed));
    expect(failed).toEqual([]);
    expect(missing.map(({ reason }) => reason)).toEqual(['before_first']);
  });

  it('a venue with one answer to everything: asked a bounded number of times', async () => {
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

  it('a page that stays an error: incomplete, and the later ones are fetched', async () => {
    const listed = FROM + 3 * DAY_MS;
    const { times, failed } = await fetchFrom((from, to) =>
      from < listed ? 'error' : paymentsIn(from, to).slice(0, POINTS),
    );
    expect(failed).toEqual(['funding']);
    expect(times.length).toBeGreaterThan(0);
    expect(times).toEqual(all.filter((time) => time >= Math.min(...times)));
  });
});

const readPage = (path: string): [page: number, size: number] => {
  const [page, size] = path.split(' ').map(Number);
  return [page ?? 0, size ?? 0];
};

/** A venue that lists its payments by page, the newest on the first. */
async function fetchPages(
  answerTo: (page: number, size: number) => readonly number[] | 'error',
  pages = 1000,
  total?: number,
): Promise<ContractHistory & { readonly times: readonly number[] }> {
  const history = await fetchOf({
    kind: 'funding',
    points: POINTS,
    pages,
    totalOf: () => total,
    request: ({ symbol }, _from, _to, page, size) => ({ method: 'GET', path: `${page} ${size}`, symbol }),
    call: {
      name: 'funding',
      decode: (payload) => {
        const out = emptyDecoded();
        const answer = answerTo(...readPage(String(payload)));
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

  it('the list is shorter than the span: it ends with two empty pages', async () => {
    const listed = newestFirst.slice(0, 2 * POINTS + 1);
    expect(await fetchPages((page) => pageOf(listed, page))).toMatchObject({
      times: listed.toReversed(),
      requests: 5,
      failed: [],
    });
    const full = newestFirst.slice(0, 2 * POINTS);
    expect(await fetchPages((page) => pageOf(full, page))).toMatchObject({ requests: 4, failed: [] });
  });

  it('fewer rows a page than asked for: all are fetched', async () => {
    const shortly = (page: number) => newestFirst.slice((page - 1) * 3, page * 3);
    expect(await fetchPages(shortly)).toMatchObject({ times: all, failed: [], missing: [] });
    const cut = (page: number, size: number) => newestFirst.slice((page - 1) * size, page * size).slice(0, 3);
    expect(await fetchPages(cut)).toMatchObject({ times: all, failed: [], missing: [] });
    const cutNew = (page: number, size: number) =>
      newestFirst.slice((page - 1) * size, page * size).slice(-3);
    expect(await fetchPages(cutNew)).toMatchObject({ times: all, failed: [], missing: [] });
  });

  it('an empty page between others: asked for again, and told where it stays', async () => {
    let empties = 1;
    const once = await fetchPages((page) => (page === 2 && empties-- > 0 ? [] : pageOf(newestFirst, page)));
    expect(once).toMatchObject({ times: all, failed: [], missing: [] });
    const stays = await fetchPages((page) => (page === 2 ? [] : pageOf(newestFirst, page)));
    expect(stays.failed).toEqual(['funding']);
    expect(stays.missing.map(({ reason }) => reason)).toContain('empty');
    expect(stays.times).toEqual(all.filter((time) => !pageOf(newestFirst, 2).includes(time)));
  });

  it('a stated total: no request beyond it, and less than it is told', async () => {
    const listed = newestFirst.slice(0, 2 * POINTS + 1);
    const whole = await fetchPages((page) => pageOf(listed, page), 1000, listed.length);
    expect(whole).toMatchObject({ requests: 3, failed: [] });
    const less = await fetchPages((page) => pageOf(listed, page), 1000, 100);
    expect(less.failed).toEqual(['funding']);
    expect(less.missing.map(({ reason }) => reason)).toContain('short_of_total');
  });

  it('are held once where one that comes meanwhile moves the pages', async () => {
    const { times } = await fetchPages((page) =>
      pageOf(page === 1 ? newestFirst.slice(1) : newestFirst, page),
    );
    expect(times).toEqual(all.slice(0, -1));
  });

  it('the same page for every number, or none: it ends', async () => {
    const newest = newestFirst.slice(0, POINTS);
    const same = await fetchPages(() => newest);
    expect(same).toMatchObject({ requests: 2, failed: ['funding'] });
    expect(same.missing.map(({ reason }) => reason)).toContain('same_page');
    const ended = await fetchPages((page) => pageOf(newestFirst, page), 4);
    expect(ended).toMatchObject({ requests: 4, failed: ['funding'] });
  });

  it('a page that is an error: asked again, incomplete where it stays one', async () => {
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
