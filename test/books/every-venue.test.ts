import { describe, expect, it, vi } from 'vitest';
import { BOOK_FAULT_KINDS, type BookFaultKind } from '../../src/sim/books/book-faults.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import { SIM_VENUES } from '../../src/sim/venues/index.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type Pairing, pairingsOf } from '../venues/sim-run.ts';
import { carriesBooks, tradedAt } from './sim-rig.ts';
import { runSchedule, type Tolerance } from './sim-schedule.ts';

// The collector's own connections, over memory instead of a network.
vi.mock('ws', async () => ({ default: (await import('./memory-socket.ts')).MemorySocket }));

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
/** Schedules of each venue and fault, some 250 in all, and where their seeds begin; more for a thorough run. */
const RUNS = Number(process.env.PERPMETER_BOOK_SCHEDULES ?? 1);
const SEED = Number(process.env.PERPMETER_BOOK_SEED ?? 1);
const ONLY = process.env.PERPMETER_BOOK_VENUES?.split(',');

/** Faults that lose messages and leave the rest in order. */
const LOSSES: readonly BookFaultKind[] = ['book-gap', 'book-stall'];
/** What a venue's own rules allow a quote to be wrong for, as its feed states them. */
function toleranceOf({ adapter: { books } }: Pairing, kind: BookFaultKind): Tolerance | undefined {
  if (books === undefined) return undefined;
  const { continuity, crossed, splitsMoments } = books;
  // A lost message shows with the next comparison with REST only.
  if (LOSSES.includes(kind) && !continuity.detectsLoss && continuity.isSnapshotOnly !== true)
    return { reason: 'its numbers cannot reveal a loss', wrongMs: 150_000, backMs: 150_000 };
  // A false level that is newer stands until the next delta; three moments in a row are crossed at most.
  if (kind === 'book-crossed' && crossed === 'uncross')
    return { reason: 'of two levels that cross the older one is dropped', wrongMs: 3500, backMs: 5000 };
  // The loss of the last message of a moment shows with the next moment.
  if (splitsMoments === true)
    return { reason: 'several messages for one moment', wrongMs: 1500, backMs: 5000 };
  return undefined;
}

/** Contracts of a listing: some venues send the books of all of them in one stream, and three are looked at. */
const LISTED = 12;
const world = createWorld(1);
const contractsOf = world.contracts.bind(world);
world.contracts = (listing) => contractsOf(listing).slice(0, LISTED);
const paired = pairingsOf(VENUES, SIM_VENUES, world, AT);
/** Of the venues that share a parent's stream and feed one stands for all. */
const isFirst = ({ adapter }: Pairing): boolean =>
  adapter.parent === undefined ||
  paired.find((one) => one.adapter.parent === adapter.parent)?.adapter === adapter;
const streaming = paired.filter(
  (one) =>
    one.adapter.books?.stream !== undefined && isFirst(one) && (ONLY?.includes(one.adapter.id) ?? true),
);
const carried = streaming.map((pairing) => carriesBooks(pairing, world, AT));
const pairings = streaming.filter((_, i) => carried[i] === true);

it('runs every venue that streams books on its simulated socket', () => {
  const missing = streaming.filter((_, i) => carried[i] === false).map(({ adapter }) => adapter.id);
  expect(missing).toEqual([]);
  expect(pairings.length).toBeGreaterThan(0);
});

describe.each(pairings.map((pairing) => [pairing.adapter.id, pairing] as const))('%s', (id, pairing) => {
  const traded = tradedAt(pairing, world, AT, 3);

  it('has contracts that are traded', () => expect(traded.length).toBeGreaterThan(0));

  it.each(BOOK_FAULT_KINDS)('serves no wrong quote under %s, and a correct one soon after', async (kind) => {
    const leave = toleranceOf(pairing, kind);
    for (let run = 0; run < RUNS; run++) {
      const seed = SEED * 1_000_003 + run;
      const fault = await runSchedule({ pairing, world, traded, kind, seed, at: AT, leave });
      expect(fault, `${id} ${kind} seed ${SEED}, schedule ${run}`).toBeUndefined();
    }
  });
});

/** Schedules that failed once. */
const PINNED: readonly (readonly [venue: string, kind: BookFaultKind, seed: number])[] = [
  // The stall ended just after a new connection had failed.
  ['extended', 'book-stall', 241_506_724_544],
];

it.each(PINNED.filter(([venue]) => pairings.some(({ adapter }) => adapter.id === venue)))(
  '%s recovers in time under %s, schedule %d',
  async (venue, kind, seed) => {
    const pairing = pairings.find(({ adapter }) => adapter.id === venue);
    if (pairing === undefined) throw new Error('not streamed');
    const traded = tradedAt(pairing, world, AT, 3);
    const leave = toleranceOf(pairing, kind);
    expect(await runSchedule({ pairing, world, traded, kind, seed, at: AT, leave })).toBeUndefined();
  },
);
