import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { BackgroundThrottle } from '../../src/collect/background-throttle.ts';
import { type Decoded, emptyDecoded } from '../../src/domain/decoded.ts';
import { asMs } from '../../src/domain/units.ts';
import { type ContractHistory, fetchContractHistory } from '../../src/modules/backfill/contract-history.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import type { VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import type { BackfillEndpoint } from '../../src/venues/backfill-endpoint.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { until } from '../history/backfill-rig.ts';
import { type Pairing, pairingsOf, renderRequest, runAdapter } from './sim-run.ts';
import { smallWorld } from './small-world.ts';

const AT = asMs(Date.UTC(2026, 9, 20, 13, 20));
const FROM = asMs(AT - 10 * DAY_MS);
/** One contract of each venue is asked for. */
const world = smallWorld(1, 12);
const cases = pairingsOf(VENUES, SIM_VENUES, world, AT).flatMap((pairing) =>
  (pairing.adapter.backfill ?? [])
    .filter(({ kind }) => kind === 'funding')
    .map((endpoint) => ({ venue: pairing.adapter.id, pairing, endpoint })),
);
const spanned = cases.filter(
  ({ endpoint }) => endpoint.pages === undefined && endpoint.isLatestOnly !== true,
);

/** As many as a fifth of a page of a hundred. */
const SHORT = 20;

/** A venue's change to its full answer; `turn` counts requests from 1 on. */
type Habit = (answer: Decoded, turn: number) => Decoded;

/** The answer without all but a part of its payments, which come in the order of their times. */
const keeping =
  (part: (sorted: Decoded['funding'], most: number) => Decoded['funding']): Habit =>
  (answer) => ({
    ...answer,
    funding: part(
      answer.funding.toSorted((a, b) => a.time - b.time),
      SHORT - answer.rejects.length,
    ),
  });

const SHORT_BY: Readonly<Record<string, Habit>> = {
  'the old end': keeping((sorted, most) => sorted.slice(-most)),
  'the new end': keeping((sorted, most) => sorted.slice(0, most)),
};

/** All payments of ten days of the venue's most traded contract, where its answers have that habit. */
async function fetchPayments(pairing: Pairing, endpoint: BackfillEndpoint, habit: Habit) {
  const { instruments } = runAdapter(pairing, world, AT);
  const contract = world
    .contracts(pairing.sim.listing)
    .find(
      (contract) =>
        contract.kind === 'perp' && contract.status === 'live' && instruments.has(contract.symbol),
    );
  const instrument = instruments.get(contract?.symbol ?? '');
  if (instrument === undefined) throw new Error(`${pairing.adapter.id} lists nothing`);
  let turn = 0;
  const decode: typeof endpoint.call.decode = (payload, context) => {
    turn += 1;
    return habit(endpoint.call.decode(payload, context), turn);
  };
  const adapter: VenueAdapter = {
    ...pairing.adapter,
    backfill: [{ ...endpoint, call: { ...endpoint.call, decode } }],
  };
  const send = async (_venue: string, request: VenueRequest) => {
    const answer = renderRequest(pairing, world, request, AT);
    return { ok: true, value: { payload: JSON.parse(answer?.body ?? 'null'), receivedAt: AT } } as const;
  };
  const time = new ManualTime(AT);
  const sources = {
    adapter,
    instruments: () => instruments,
    send,
    priority: 1,
    timer: time.timer,
    throttle: new BackgroundThrottle(time.clock, time.timer),
    isUrgent: () => true,
    signal: new AbortController().signal,
  };
  let fetched: ContractHistory | undefined;
  void fetchContractHistory(sources, instrument, FROM, AT).then((history) => {
    fetched = history;
  });
  await until(time, () => fetched !== undefined);
  if (fetched === undefined) throw new Error('nothing was fetched');
  const times = [...new Set(fetched.decoded.funding.map((point) => point.time))].sort((a, b) => a - b);
  return { ...fetched, times };
}

const asItIs: Habit = (answer) => answer;

describe.each(cases)('payments of $venue', ({ pairing, endpoint }) => {
  it('answers as they are: all, without a word of what is missing', async () => {
    const { times, failed, missing } = await fetchPayments(pairing, endpoint, asItIs);
    expect(times.length).toBeGreaterThan(20);
    expect({ failed, missing }).toEqual({ failed: [], missing: [] });
  });

  it('nothing but the same answer to everything: an end, and incomplete', async () => {
    let first: Decoded | undefined;
    const { requests, failed, missing } = await fetchPayments(pairing, endpoint, (answer) => {
      first ??= { ...answer, funding: answer.funding.slice(0, SHORT) };
      return first;
    });
    expect(requests).toBeLessThan(200);
    if (endpoint.isLatestOnly !== true) expect(failed).toEqual(['funding']);
    expect(missing.length).toBeGreaterThan(0);
  });

  it('nothing but empty answers: an end, and told', async () => {
    const { requests, missing } = await fetchPayments(pairing, endpoint, () => emptyDecoded());
    expect(requests).toBeLessThan(50);
    expect(missing.map(({ kind }) => kind)).toContain('funding');
  });
});

describe.each(spanned)('payments of $venue, asked for by span', ({ pairing, endpoint }) => {
  it.each(Object.entries(SHORT_BY))('answers short by %s: all', async (_, habit) => {
    const whole = await fetchPayments(pairing, endpoint, asItIs);
    const { times, failed, missing } = await fetchPayments(pairing, endpoint, habit);
    // The newest of all before an end, as far as they were kept, say nothing of the span where they are all older.
    if (endpoint.takesOnly === 'to' && failed.length > 0) return expect(missing.length).toBeGreaterThan(0);
    expect(times).toEqual(whole.times);
    expect({ failed, missing }).toEqual({ failed: [], missing: [] });
  });

  it('an answer that lacks its middle: asked for again, and all', async () => {
    const whole = await fetchPayments(pairing, endpoint, asItIs);
    const halved: Habit = (answer, turn) => {
      const { funding } = answer;
      const cut = funding.length >> 1;
      return turn === 1
        ? { ...answer, funding: [...funding.slice(0, cut - 3), ...funding.slice(cut + 3)] }
        : answer;
    };
    const { times, failed, missing } = await fetchPayments(pairing, endpoint, halved);
    expect(times).toEqual(whole.times);
    expect({ failed, missing }).toEqual({ failed: [], missing: [] });
  });

  it('answers of another month: incomplete, and told', async () => {
    const shifted: Habit = (answer) => ({
      ...answer,
      funding: answer.funding.map((point) => ({ ...point, time: asMs(point.time - 90 * DAY_MS) })),
    });
    const { failed, missing } = await fetchPayments(pairing, endpoint, shifted);
    if (endpoint.takesOnly !== 'to') expect(failed).toEqual(['funding']);
    expect(missing.length).toBeGreaterThan(0);
  });
});

const paged = cases.filter(({ endpoint }) => endpoint.pages !== undefined);

describe.each(paged)('payments of $venue, asked for by page', ({ pairing, endpoint }) => {
  it('pages of twenty rows, whatever is asked for: all', async () => {
    const whole = await fetchPayments(pairing, endpoint, asItIs);
    const newest: Habit = keeping((sorted, most) => sorted.slice(-most));
    const { times, failed, missing } = await fetchPayments(pairing, endpoint, newest);
    expect(times).toEqual(whole.times);
    expect({ failed, missing }).toEqual({ failed: [], missing: [] });
  });

  it('an empty page before others: asked for again', async () => {
    const whole = await fetchPayments(pairing, endpoint, asItIs);
    const first: Habit = (answer, turn) => (turn === 1 ? emptyDecoded() : answer);
    const { times, failed, missing } = await fetchPayments(pairing, endpoint, first);
    expect(times).toEqual(whole.times);
    expect({ failed, missing }).toEqual({ failed: [], missing: [] });
  });
});
