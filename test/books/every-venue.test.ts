import { BOOK_FAULT_KINDS } from '@perpmeter/sim/books/book-faults';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it, vi } from 'vitest';
import { VENUES } from '../../src/venues/registry.ts';
import { type Pairing, pairingsOf } from '../venues/sim-run.ts';
import { AT, playFault, tradedOf, world } from './fault-schedules.ts';
import { carriesBooks } from './sim-rig.ts';

// The collector's own connections, over memory instead of a network.
vi.mock('ws', async () => ({ default: (await import('./memory-socket.ts')).MemorySocket }));

/** Schedules of each venue and fault, some 250 in all, and where their seeds begin; more for a thorough run. */
const RUNS = Number(process.env.PERPMETER_BOOK_SCHEDULES ?? 1);
const SEED = Number(process.env.PERPMETER_BOOK_SEED ?? 1);
const ONLY = process.env.PERPMETER_BOOK_VENUES?.split(',');

const paired = pairingsOf(VENUES, SIM_VENUES, world, AT);
/** Of the venues that share a parent's stream and feed one stands for all. */
const isFirst = ({ adapter }: Pairing): boolean =>
  adapter.parent === undefined ||
  paired.find((pairing) => pairing.adapter.parent === adapter.parent)?.adapter === adapter;
const streaming = paired.filter(
  (pairing) =>
    pairing.adapter.books?.stream !== undefined &&
    isFirst(pairing) &&
    (ONLY?.includes(pairing.adapter.id) ?? true),
);
const carried = streaming.map((pairing) => carriesBooks(pairing, world, AT));
const pairings = streaming.filter((_, i) => carried[i] === true);

it('runs every venue that streams books on its simulated socket', () => {
  const missing = streaming.filter((_, i) => carried[i] === false).map(({ adapter }) => adapter.id);
  expect(missing).toEqual([]);
  expect(pairings.length).toBeGreaterThan(0);
});

describe.each(pairings.map((pairing) => [pairing.adapter.id, pairing] as const))('%s', (id, pairing) => {
  it('has contracts that are traded', () => expect(tradedOf(pairing).length).toBeGreaterThan(0));

  it.each(BOOK_FAULT_KINDS)('serves no wrong quote under %s, and a correct one soon after', async (kind) => {
    for (let run = 0; run < RUNS; run++) {
      const seed = SEED * 1_000_003 + run;
      const fault = await playFault(pairing, kind, seed);
      expect(fault, `${id} ${kind} seed ${SEED}, schedule ${run}`).toBeUndefined();
    }
  });
});
