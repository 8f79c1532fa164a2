import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { MAX_FRAME_BYTES } from '../../src/collect/frame-reader.ts';
import { pollBound } from '../../src/venues/answer-bound.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { pairingsOf, runAdapter } from './sim-run.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);
const pairings = pairingsOf(VENUES, SIM_VENUES, world, AT);

describe.each(pairings.map((pairing) => [pairing.adapter.id, pairing] as const))('%s', (_id, pairing) => {
  it('every answer and frame of a usual day: at most a quarter of its bound', () => {
    const { adapter } = pairing;
    const { calls } = runAdapter(pairing, world, AT);
    expect(calls.length).toBeGreaterThan(0);
    for (const { name, kind, text } of calls) {
      const bounds = adapter.polls.filter(({ call }) => name.startsWith(`${call.name} `)).map(pollBound);
      const bound = kind === 'stream' ? MAX_FRAME_BYTES : Math.min(...bounds);
      expect(bound, name).toBeLessThan(Number.POSITIVE_INFINITY);
      expect(Buffer.byteLength(text), name).toBeLessThanOrEqual(bound / 4);
    }
  });
});
