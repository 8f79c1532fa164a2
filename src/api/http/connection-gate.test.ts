import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionGate, connectionLimits } from './connection-gate.ts';

describe('limits', () => {
  it.each([
    [256, undefined, 128, 32],
    [1024, undefined, 512, 128],
    [4096, undefined, 3072, 768],
    [1_048_576, undefined, 10_000, 2500],
    [undefined, undefined, 10_000, 2500],
    [1024, 40, 40, 10],
    [256, 5000, 128, 32],
    [1, undefined, 1, 1],
  ])('%s descriptors, %s set: %s in all, %s of an address', (descriptors, set, total, perAddress) => {
    expect(connectionLimits(descriptors, set)).toEqual({ total, perAddress });
  });
});

describe('any order of arrivals and ends', () => {
  it('no limit is passed, and a refused connection takes no place', () => {
    const step = fc.record({ address: fc.constantFrom('a', 'b', 'c', undefined), isEnd: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const gate = new ConnectionGate({ total: 6, perAddress: 3 });
        const open: (string | undefined)[] = [];
        for (const { address, isEnd } of steps) {
          const at = open.indexOf(address);
          if (isEnd && at >= 0) {
            gate.leave(address);
            open.splice(at, 1);
          } else if (!isEnd) {
            const own = open.filter((each) => each === address).length;
            const ofAddress = address !== undefined && own >= 3 ? 'address' : undefined;
            const expected = open.length >= 6 ? 'total' : ofAddress;
            expect(gate.enter(address)).toBe(expected);
            if (expected === undefined) open.push(address);
          }
        }
      }),
    );
  });
});
