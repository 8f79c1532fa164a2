import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { asBps, asHours, asMs, asRate } from '../../domain/units.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { listTime, makeFacts, makeList } from './calendar-fixture.ts';
import { compareLists } from './compare-lists.ts';
import type { EventDraft, EventKind } from './event.ts';
import { memoryOf, textOf } from './memory-text.ts';
import type { ContractFacts, VenueMemory, WholeList } from './venue-memory.ts';

/** All events of some lists; written and read again between any two, as over a restart, where that is wanted. */
function eventsOf(lists: readonly WholeList[], restarts: readonly boolean[] = []): readonly EventDraft[] {
  let memory: VenueMemory | undefined;
  const events: EventDraft[] = [];
  lists.forEach((list, index) => {
    if (memory !== undefined && restarts[index] === true) memory = memoryOf(textOf(memory), memory.listAt);
    const compared = compareLists(memory, list);
    events.push(...compared.events);
    memory = compared.memory;
  });
  return events;
}

const BTC = makeFacts('BTC');
const ETH = makeFacts('ETH');
const kinds = (lists: readonly WholeList[]) => eventsOf(lists).map(({ kind, symbol }) => [kind, symbol]);
const inTurn = (...lists: readonly (readonly ContractFacts[])[]) =>
  lists.map((contracts, index) => makeList(index, contracts));

type State = 'listed' | 'halted' | 'unlisted';

/** The events of one contract by the rule in its plainest form: what two lists in a row show holds from the first of them. */
function expectedOf(states: readonly State[]): readonly (readonly [EventKind, number])[] {
  const [first] = states;
  let known: State = first === 'listed' ? 'listed' : 'unlisted';
  let isHaltedFirst = first === 'halted';
  const found: [EventKind, number][] = [];
  for (let i = 1; i < states.length; i++) {
    // A contract that was never listed is none of ours, whatever its list says of it.
    const seen = (at: number): State =>
      known === 'unlisted' && states[at] === 'halted' ? 'unlisted' : (states[at] ?? 'unlisted');
    if (states[i] === 'unlisted') isHaltedFirst = false;
    if (i < 2 || seen(i) !== seen(i - 1) || seen(i) === known) continue;
    const isBack = known === 'halted' || isHaltedFirst;
    const names = { listed: isBack ? 'resumed' : 'listed', halted: 'halted', unlisted: 'delisted' } as const;
    found.push([names[seen(i)], i - 1]);
    known = seen(i);
    isHaltedFirst = false;
  }
  return found;
}

const state = fc.constantFrom<State>('listed', 'halted', 'unlisted');
const runs = fc
  .array(fc.tuple(state, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.flatMap(([of, count]) => Array.from({ length: count }, () => of)));
const restarts = fc.array(fc.boolean(), { maxLength: 24 });

describe('the state of contracts over lists', () => {
  test('any course: what two lists in a row show, over restarts too', () => {
    fc.assert(
      fc.property(fc.tuple(runs, runs), restarts, (courses, restarted) => {
        const length = Math.max(...courses.map((course) => course.length));
        const full = courses.map((course) =>
          Array.from({ length }, (_, i) => course[Math.min(i, course.length - 1)] ?? 'unlisted'),
        );
        const all = [BTC, ETH];
        const lists = Array.from({ length }, (_, i) => {
          const of = (wanted: State) => all.filter((_contract, at) => full[at]?.[i] === wanted);
          return makeList(i, of('listed'), { halted: new Set(of('halted').map(({ symbol }) => symbol)) });
        });
        const events = eventsOf(lists, restarted);
        expect(eventsOf(lists)).toEqual(events);
        all.forEach(({ symbol }, at) => {
          const found = events.filter((event) => event.symbol === symbol);
          const expected = expectedOf(full[at] ?? []);
          expect(found.map(({ kind, seenAt, unseenAt }) => [kind, seenAt, unseenAt])).toEqual(
            expected.map(([kind, index]) => [kind, listTime(index), listTime(index - 1)]),
          );
        });
      }),
    );
  });

  test('any course of values: each event begins where the last one ended', () => {
    const hours = fc.constantFrom(1, 4, 8, undefined);
    fc.assert(
      fc.property(fc.array(hours, { minLength: 1, maxLength: 20 }), restarts, (course, restarted) => {
        const lists = course.map((interval, i) => {
          const { intervalHours: _hours, ...rest } = BTC;
          return makeList(i, [interval === undefined ? rest : { ...rest, intervalHours: asHours(interval) }]);
        });
        const events = eventsOf(lists, restarted);
        let known: number | undefined;
        for (const { kind, before, after, seenAt } of events) {
          expect(kind).toBe('interval_changed');
          if (known !== undefined) expect(before.intervalHours).toBe(known);
          expect(after.intervalHours).not.toBe(before.intervalHours);
          const index = lists.findIndex(({ at }) => at === seenAt);
          expect([course[index], course[index + 1]]).toEqual([after.intervalHours, after.intervalHours]);
          known = after.intervalHours;
        }
        const last = course.at(-1);
        const isSettled = course.length > 2 && last !== undefined && course.at(-2) === last;
        if (isSettled && known !== undefined) expect(known).toBe(last);
      }),
    );
  });

  it('gone for one list, or new in one alone: no event', () => {
    expect(kinds(inTurn([BTC, ETH], [BTC], [BTC, ETH], [BTC, ETH]))).toEqual([]);
    expect(kinds(inTurn([BTC], [BTC, ETH], [BTC], [BTC]))).toEqual([]);
  });

  it('a clock that is set back: no change is seen before it was not', () => {
    const lists = [makeList(9, [BTC]), makeList(1, []), makeList(2, [])];
    const [gone] = eventsOf(lists);
    expect(gone).toMatchObject({ kind: 'delisted', seenAt: listTime(1), unseenAt: listTime(1) });
  });
});

describe('the first list of a venue', () => {
  it('tells what the venue announces, with its times, and no more', () => {
    const at = listTime(0);
    const recent = asMs(at - 30 * DAY_MS);
    const end = asMs(at + DAY_MS);
    const launch = { symbol: 'NEWUSDT', ticker: 'NEW', listsAt: asMs(at + 2 * DAY_MS) };
    const list = makeList(
      0,
      [
        BTC,
        makeFacts('ETH', { listedAt: recent }),
        makeFacts('OLD', { listedAt: asMs(at - 500 * DAY_MS), delistsAt: end }),
      ],
      { announced: [launch, { symbol: 'SOONUSDT', ticker: 'SOON' }] },
    );
    const events = eventsOf([list, makeList(1, list.contracts, { announced: list.announced })]);
    expect(
      events.map(({ kind, source, symbol, announcedFor, unannounced }) => [
        kind,
        source,
        symbol,
        announcedFor ?? unannounced,
      ]),
    ).toEqual([
      ['listed', 'announced', 'ETHUSDT', recent],
      ['delisted', 'announced', 'OLDUSDT', end],
      ['listed', 'announced', 'NEWUSDT', launch.listsAt],
      ['listed', 'announced', 'SOONUSDT', 'not_stated'],
    ]);
    expect(events.every(({ unseenAt }) => unseenAt === undefined)).toBe(true);
  });
});

describe('announcements', () => {
  const launch = (days: number) => ({
    symbol: 'NEWUSDT',
    ticker: 'NEW',
    listsAt: asMs(listTime(0) + days * DAY_MS),
  });

  it('a launch: announced, put off, then seen with its time', () => {
    const early = launch(1);
    const late = launch(2);
    const NEW = makeFacts('NEW');
    const announced = [[], [early], [early], [late], [late]].map((list, i) =>
      makeList(i, [BTC], { announced: list }),
    );
    const lists = [...announced, makeList(5, [BTC, NEW]), makeList(6, [BTC, NEW])];
    expect(eventsOf(lists)).toMatchObject([
      {
        source: 'announced',
        announcedFor: early.listsAt,
        seenAt: listTime(1),
        before: { state: 'unlisted' },
      },
      { source: 'announced', announcedFor: late.listsAt, before: { listsAt: early.listsAt } },
      { source: 'seen', announcedFor: late.listsAt, seenAt: listTime(5), before: { state: 'announced' } },
    ]);
  });

  it('a launch or an end that is stated no more: withdrawn', () => {
    const ending = makeFacts('BTC', { delistsAt: asMs(listTime(0) + DAY_MS) });
    const announced = [launch(1)];
    const lists = [
      makeList(0, [ending], { announced }),
      makeList(1, [BTC]),
      makeList(2, [BTC]),
      makeList(3, [BTC]),
    ];
    expect(eventsOf(lists).slice(2)).toMatchObject([
      { kind: 'delisted', source: 'announced', unannounced: 'withdrawn', after: { delistsAt: null } },
      { kind: 'listed', source: 'announced', unannounced: 'withdrawn', after: { state: 'unlisted' } },
    ]);
  });

  it('an end that was announced: the delisting has its time', () => {
    const delistsAt = asMs(listTime(3));
    const ending = makeFacts('ETH', { delistsAt });
    const events = eventsOf(inTurn([BTC, ETH], [BTC, ending], [BTC, ending], [BTC], [BTC]));
    expect(events).toMatchObject([
      { kind: 'delisted', source: 'announced', announcedFor: delistsAt, seenAt: listTime(1) },
      { kind: 'delisted', source: 'seen', announcedFor: delistsAt, seenAt: listTime(3) },
    ]);
  });
});

describe('values', () => {
  it('the bounds of a rate: one event for both; rounding is none', () => {
    const bounds = (cap: number, floor: number) =>
      makeFacts('BTC', { fundingCap: asRate(cap), fundingFloor: asRate(floor) });
    const wide = bounds(0.02, -0.01);
    const course = [bounds(0.003, -0.003), bounds(0.003000000001, -0.003), wide, wide, wide];
    const events = eventsOf(inTurn(...course.map((contract) => [contract])));
    expect(events).toMatchObject([
      {
        kind: 'cap_changed',
        before: { fundingFloor: -0.003 },
        after: { fundingCap: 0.02, fundingFloor: -0.01 },
      },
    ]);
  });

  it('the venue’s fee: one event of the venue, none of its contracts', () => {
    const own = makeFacts('ETH', { ownFeeBps: asBps(2) });
    const lists = [5, 4, 4, 4].map((fee, i) => makeList(i, [BTC, own], { takerFeeBps: asBps(fee) }));
    const [changed, ...others] = eventsOf(lists);
    expect(changed).toMatchObject({
      kind: 'fee_changed',
      seenAt: listTime(1),
      before: { takerFeeBps: 5 },
      after: { takerFeeBps: 4 },
    });
    expect(changed).not.toHaveProperty('symbol');
    expect(others).toEqual([]);
  });

  it('a contract’s own fee begins and ends: against the venue’s', () => {
    const own = makeFacts('BTC', { ownFeeBps: asBps(2) });
    const lists = [BTC, own, own, BTC, BTC].map((contract, i) =>
      makeList(i, [contract], { takerFeeBps: asBps(5) }),
    );
    expect(eventsOf(lists)).toMatchObject([
      { kind: 'fee_changed', symbol: 'BTCUSDT', before: { takerFeeBps: 5 }, after: { takerFeeBps: 2 } },
      { kind: 'fee_changed', symbol: 'BTCUSDT', before: { takerFeeBps: 2 }, after: { takerFeeBps: 5 } },
    ]);
  });

  it('a value that becomes known, or is not stated for a while: no event', () => {
    const { intervalHours: _hours, ...unknown } = BTC;
    expect(kinds(inTurn([unknown], [BTC], [BTC], [unknown], [unknown], [BTC], [BTC]))).toEqual([]);
  });
});

describe('renames', () => {
  const POL = makeFacts('POL');
  const MATIC = makeFacts('MATIC', { ticker: 'POL', canonicalId: 'crypto:POL' });

  it.each([
    ['with it', inTurn([BTC, MATIC], [BTC, POL], [BTC, POL])],
    ['before', inTurn([BTC, MATIC], [BTC, MATIC, POL], [BTC, MATIC, POL], [BTC, POL], [BTC, POL])],
    ['after', inTurn([BTC, MATIC], [BTC], [BTC], [BTC], [BTC, POL], [BTC, POL])],
  ])('another contract of the asset comes %s: renamed', (_when, lists) => {
    const events = eventsOf(lists);
    expect(events.map(({ kind }) => kind).sort()).toEqual(['delisted', 'listed', 'renamed']);
    expect(events.find(({ kind }) => kind === 'renamed')).toMatchObject({
      symbol: 'POLUSDT',
      canonicalId: 'crypto:POL',
      before: { symbol: 'MATICUSDT', ticker: 'MATIC' },
      after: { symbol: 'POLUSDT', ticker: 'POL' },
    });
  });

  it('one symbol with another base: renamed; with another asset alone: not', () => {
    const called = makeFacts('BTC', { base: 'XBT' });
    const decided = makeFacts('BTC', { canonicalId: 'equity:BTC' });
    expect(kinds(inTurn([BTC], [called], [called]))).toEqual([['renamed', 'BTCUSDT']]);
    expect(kinds(inTurn([BTC], [decided], [decided]))).toEqual([]);
  });

  it('a symbol that is listed again: listed, with the time before', () => {
    const first = makeFacts('BTC', { listedAt: asMs(listTime(0) - 500 * DAY_MS) });
    const again = makeFacts('BTC', { listedAt: listTime(1) });
    expect(eventsOf(inTurn([first], [again], [again], [again]))).toMatchObject([
      { kind: 'listed', source: 'seen', announcedFor: listTime(1), before: { listsAt: first.listedAt } },
    ]);
  });
});
