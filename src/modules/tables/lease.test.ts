import { describe, expect, it } from 'vitest';
import { asMs } from '../../domain/units.ts';
import { type Holder, Lease, type LeaseStore } from './lease.ts';

const NOW = 1_000_000;

/** A store in memory; `asked` is called before each look at the holder, as an answer of a server comes before it. */
function storeOf(holder?: Holder, asked: () => void = () => {}) {
  const state = { holder, looks: 0 };
  const store: LeaseStore = {
    get holder() {
      return state.holder;
    },
    hold(next) {
      asked();
      state.looks += 1;
      const made = next(state.holder);
      if (made !== undefined) state.holder = made;
      return made !== undefined;
    },
  };
  return { store, state };
}

const held = (until: number): Holder => ({ owner: 'another', term: 3, until, aliveAt: 0, held: 1 });

describe('a lease', () => {
  it('held by another by the time that the answer sets: not taken', () => {
    // Until the server has answered, the clock is a minute ahead.
    const time = { now: NOW + 60_000 };
    const { store, state } = storeOf(held(NOW + 5_000), () => {
      time.now = NOW;
    });
    const lease = new Lease(store, 'this');
    expect(lease.beat({ now: () => asMs(time.now) }, 0)).toMatchObject({ change: undefined });
    expect([lease.holds, state.holder?.owner]).toEqual([false, 'another']);
  });

  it('its clock is set back by a minute: kept on', () => {
    const time = { now: NOW };
    const clock = { now: () => asMs(time.now) };
    const { store, state } = storeOf();
    const lease = new Lease(store, 'this');
    expect(lease.beat(clock, 0)).toMatchObject({ change: 'taken' });
    time.now -= 60_000;
    void lease.beat(clock, 0);
    expect([state.looks, state.holder?.until]).toEqual([2, time.now + 10_000]);
    void lease.beat(clock, 0);
    expect(state.looks).toBe(2);
  });
});
