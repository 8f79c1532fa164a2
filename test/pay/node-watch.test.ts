import { beforeEach, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { NodeWatch } from '../../src/pay/node-watch.ts';
import type { Rpc } from '../../src/pay/rpc.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/runtime/duration.ts';
import { type FakeClock, fakeClock } from './fakes.ts';

const NETWORK = { id: 'eip155:8453', behindSeconds: 60 };
let clock: FakeClock;
let lagMs: number;
let isAway: boolean;
let watch: NodeWatch;

const rpc: Rpc = async () => {
  if (isAway) throw new Error('away');
  const time = Math.floor((clock.now() - lagMs) / SECOND_MS);
  return { number: '0x1', timestamp: `0x${time.toString(16)}` };
};

beforeEach(() => {
  clock = fakeClock();
  lagMs = 2 * SECOND_MS;
  isAway = false;
  watch = new NodeWatch({ rpc, network: NETWORK, clock });
});

const isBehind = () => watch.state().isBehind;

describe('the watch of a node', () => {
  it('before the first look: not known, and behind after five minutes', async () => {
    isAway = true;
    await watch.look();
    expect(watch.state()).toEqual({
      network: NETWORK.id,
      blockAt: undefined,
      seenAt: undefined,
      isBehind: undefined,
    });
    clock.advance(5 * MINUTE_MS);
    await expect(watch.look()).rejects.toThrow('the node of eip155:8453 shows no block');
    expect(isBehind()).toBe(true);
  });

  it('a block of a moment ago: follows, until it is silent', async () => {
    await watch.look();
    expect(isBehind()).toBe(false);
    isAway = true;
    clock.advance(4 * MINUTE_MS);
    await watch.look();
    expect(isBehind()).toBe(false);
    clock.advance(MINUTE_MS);
    expect(isBehind()).toBe(true);
  });

  it('a block older than the bound: said once, and again after it was well', async () => {
    lagMs = 90 * SECOND_MS;
    await expect(watch.look()).rejects.toThrow(
      /behind its chain: its newest block is 9\d s old, more than 60/,
    );
    await watch.look();
    expect(isBehind()).toBe(true);
    lagMs = 0;
    await watch.look();
    expect(isBehind()).toBe(false);
    lagMs = 90 * SECOND_MS;
    await expect(watch.look()).rejects.toThrow('behind its chain');
  });

  it('a block that another look has met: counts', () => {
    watch.note(asMs(clock.now() - 2 * MINUTE_MS));
    expect(isBehind()).toBe(true);
    watch.note(asMs(clock.now()));
    expect(isBehind()).toBe(false);
  });
});
