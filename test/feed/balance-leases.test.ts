import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CollectorReport, type Move, movesOf } from '../../src/modules/cluster/balance-leases.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';

const RUNS = { numRuns: 200 * PROPERTY_RUNS.times, seed: 31 + PROPERTY_RUNS.seed };
const LONG = 3_600_000;
const MIN_COST = 100;
const venueOf = (i: number): string => `venue${i}`;

/** A collector that has been as it is for long, and reaches everything. */
function collector(name: string, held: Record<string, number>, venues: readonly string[]): CollectorReport {
  const reach = Object.fromEntries(venues.map((venue) => [venue, LONG]));
  return { name, held, reach, settledMs: LONG, overloadedMs: 0, calmMs: null };
}

/** Venues by their cost, each with the collector that holds it. */
const spreadings = fc.record({
  costs: fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 33 }),
  members: fc.integer({ min: 1, max: 5 }),
  holders: fc.infiniteStream(fc.nat()),
});

function membersOf(costs: readonly number[], members: number, holders: Iterable<number>): CollectorReport[] {
  const held: Record<string, number>[] = Array.from({ length: members }, () => ({}));
  const drawn = holders[Symbol.iterator]();
  for (const [i, cost] of costs.entries()) {
    const holder = held[(drawn.next().value as number) % members];
    if (holder !== undefined) holder[venueOf(i)] = cost;
  }
  const venues = costs.map((_, i) => venueOf(i));
  return held.map((holdings, i) => collector(`collector ${i}`, holdings, venues));
}

function moved(members: readonly CollectorReport[], { venue, from, to }: Move): CollectorReport[] {
  const cost = members.find(({ name }) => name === from)?.held[venue] ?? 0;
  return members.map((member) => {
    const { [venue]: _gone, ...rest } = member.held;
    if (member.name === from) return { ...member, held: rest };
    return member.name === to ? { ...member, held: { ...member.held, [venue]: cost } } : member;
  });
}

/** Every move that is made until there is none, or none is to be expected any more. */
function settle(members: CollectorReport[], most: number): { members: CollectorReport[]; moves: Move[] } {
  const moves: Move[] = [];
  let now = members;
  while (moves.length <= most) {
    const [move] = movesOf(now);
    if (move === undefined) break;
    moves.push(move);
    now = moved(now, move);
  }
  return { members: now, moves };
}

const loadOf = ({ held }: CollectorReport): number =>
  Object.values(held).reduce((sum, cost) => sum + Math.max(MIN_COST, cost), 0);

/** A measurement differs from the true value by this part at most. */
const jittered = (members: readonly CollectorReport[], parts: () => number): CollectorReport[] =>
  members.map((member) => ({
    ...member,
    held: Object.fromEntries(Object.entries(member.held).map(([venue, cost]) => [venue, cost * parts()])),
  }));

describe('the balancer of leases', () => {
  it('comes to rest, with nobody far above a fair share', () => {
    fc.assert(
      fc.property(spreadings, ({ costs, members, holders }) => {
        const end = settle(membersOf(costs, members, holders), costs.length * members);
        expect(movesOf(end.members)).toEqual([]);
        const loads = end.members.map(loadOf);
        const fair = loads.reduce((sum, load) => sum + load, 0) / members;
        for (const [i, load] of loads.entries()) {
          if (load <= 1.25 * fair) continue;
          // Any lease it released would be too much for the least loaded.
          const least = Math.min(...Object.values(end.members[i]?.held ?? {}));
          expect(Math.min(...loads) + Math.max(MIN_COST, least)).toBeGreaterThan(load - 0.25 * fair);
        }
      }),
      RUNS,
    );
  });

  it('the greatest load: never grows, and gets nothing more', () => {
    fc.assert(
      fc.property(spreadings, ({ costs, members, holders }) => {
        const before = membersOf(costs, members, holders);
        const [move] = movesOf(before);
        if (move === undefined) return;
        const after = moved(before, move);
        const of = (list: readonly CollectorReport[], name: string): number =>
          loadOf(list.find((member) => member.name === name) as CollectorReport);
        expect(Math.max(...after.map(loadOf))).toBeLessThanOrEqual(Math.max(...before.map(loadOf)));
        expect(of(after, move.to)).toBeLessThan(of(before, move.from));
      }),
      RUNS,
    );
  });

  it('moves nothing back for a cost that is measured a bit otherwise', () => {
    fc.assert(
      fc.property(
        spreadings,
        fc.infiniteStream(fc.double({ min: 0.95, max: 1.05, noNaN: true })),
        ({ costs, members, holders }, noise) => {
          const draw = noise[Symbol.iterator]();
          const next = (): number => draw.next().value as number;
          let now = membersOf(
            costs.map((cost) => cost + 1000),
            members,
            holders,
          );
          const left = new Set<string>();
          for (let second = 0; second < 60; second++) {
            const [move] = movesOf(jittered(now, next));
            if (move === undefined) continue;
            expect(left).not.toContain(`${move.venue} ${move.to}`);
            left.add(`${move.venue} ${move.from}`);
            now = moved(now, move);
          }
        },
      ),
      RUNS,
    );
  });

  it('gives one of an idle pair half of the venues, one after the other', () => {
    const venues = [0, 1, 2, 3].map(venueOf);
    const all = Object.fromEntries(venues.map((venue) => [venue, 1000]));
    const { members, moves } = settle([collector('a', all, venues), collector('b', {}, venues)], 10);
    expect(moves.map(({ from, to, reason }) => [from, to, reason])).toEqual([
      ['a', 'b', 'share'],
      ['a', 'b', 'share'],
    ]);
    expect(members.map(loadOf)).toEqual([2000, 2000]);
  });

  const venues = ['okx', 'bybit'];
  const a = collector('a', { okx: 1000, bybit: 1000 }, venues);
  const b = collector('b', {}, venues);

  it('waits until loads are measured, and until a taker has what it needs', () => {
    expect(movesOf([a, b])).toHaveLength(1);
    expect(movesOf([{ ...a, settledMs: 9999 }, b])).toEqual([]);
    expect(movesOf([a, { ...b, settledMs: 9999 }])).toEqual([]);
    expect(movesOf([a, { ...b, reach: { okx: 9999, bybit: -5 } }])).toEqual([]);
    expect(movesOf([a, { ...b, reach: {} }])).toEqual([]);
  });

  it('an overloaded one: gives, and gets nothing for ten minutes', () => {
    const even = [collector('a', { okx: 1000 }, venues), collector('b', { bybit: 1000 }, venues)] as const;
    expect(movesOf(even)).toEqual([]);
    const slow = { ...even[0], overloadedMs: 5000, calmMs: 0 };
    expect(movesOf([slow, even[1]])).toEqual([{ venue: 'okx', from: 'a', to: 'b', reason: 'overload' }]);
    expect(movesOf([slow, { ...even[1], overloadedMs: 1, calmMs: 0 }])).toEqual([]);
    const all = { ...even[1], held: { okx: 1000, bybit: 1000 } };
    const rested = { ...even[0], held: {} };
    expect(movesOf([{ ...rested, calmMs: 599_999 }, all])).toEqual([]);
    expect(movesOf([{ ...rested, calmMs: 600_000 }, all])).toHaveLength(1);
  });

  it('a holder that does not reach venues: all go at once', () => {
    const cut = { ...a, settledMs: 0, reach: { okx: -5000, bybit: -5000 } };
    const moves = movesOf([cut, { ...b, settledMs: 0 }]);
    expect(moves.map(({ venue, to, reason }) => [venue, to, reason])).toEqual([
      ['okx', 'b', 'unreached'],
      ['bybit', 'b', 'unreached'],
    ]);
    // A venue that has just failed may come back by itself.
    expect(
      movesOf([
        { ...cut, reach: { okx: -4999, bybit: -1 } },
        { ...b, settledMs: 0 },
      ]),
    ).toEqual([]);
    // Where nobody reaches a venue, its holder keeps it.
    expect(movesOf([cut, { ...b, reach: { okx: 9999, bybit: -60_000 } }])).toEqual([]);
  });
});
