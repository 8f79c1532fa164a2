import type { Serializable } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Pace } from '@perpmeter/sim/pace';
import { hearReader, type ProcessChannel } from '@perpmeter/sim/reader-load';
import { expect, it } from 'vitest';
import { relayPace, worldPace } from './world-pace.ts';

/** A channel between two processes: what is sent into one end is heard at the other. */
function channel(): readonly [inner: Channel, outer: Channel] {
  const inner = new Channel();
  const outer = new Channel();
  inner.peer = outer;
  outer.peer = inner;
  return [inner, outer];
}

class Channel extends EventEmitter implements ProcessChannel {
  peer: Channel | undefined;
  connected = true;
  send(message: Serializable): void {
    this.peer?.emit('message', structuredClone(message));
  }
}

const BUSY = { utilization: 1, lag: 0.1 };

it('a busy service: the world slows, and can do less until it is slowest', () => {
  const [ofService, service] = channel();
  const [ofSim, sim] = channel();
  const pace = new Pace();
  hearReader(ofSim, pace);
  relayPace({ process: service }, { process: sim });
  const world = worldPace(ofService, () => 0);
  const seen: [slowness: number, canYield: boolean][] = [];
  for (let look = 0; look < 7; look++) {
    world.observe(BUSY, 0);
    pace.observe(0);
    seen.push([pace.slowness, world.canYield()]);
  }
  expect(seen).toEqual([
    [1, true],
    [2, true],
    [2, true],
    [4, true],
    [4, true],
    [8, true],
    [8, false],
  ]);
});

it('a world that has gone, or other messages: nothing changes', () => {
  const [ofService, service] = channel();
  const world = worldPace(ofService, () => 0);
  service.send('hello');
  service.send({ pace: { isSlowest: true } });
  service.send({ pace: 4 });
  expect(world.canYield()).toBe(false);
  ofService.connected = false;
  expect(() => world.observe(BUSY, 0)).not.toThrow();
});

it('a world that does not answer: can do less no more, until it does again', () => {
  const [ofService, service] = channel();
  let now = 0;
  const world = worldPace(ofService, () => now);
  const canYieldAt = (at: number): boolean => {
    now = at;
    world.observe(BUSY, 0);
    return world.canYield();
  };
  expect([0, 4_999, 5_000, 60_000].map(canYieldAt)).toEqual([true, true, false, false]);
  service.send({ pace: { isSlowest: false } });
  expect([60_000, 64_999, 65_000].map(canYieldAt)).toEqual([true, true, false]);
});
