import { describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { ReadAge, responseTimestamp } from './read-age.ts';

const at = (seconds: number) => asMs(seconds * 1000);

describe('what is read from a connection', () => {
  it('is of the moment while pings are answered at once', () => {
    const age = new ReadAge();
    for (const second of [0, 10, 20]) {
      expect(age.ask(at(second))).toBe(true);
      age.answered();
      expect(age.timestampAt(at(second + 9))).toBe(at(second + 9));
    }
  });

  it('counts as old as the last answered ping, while the next one is overdue', () => {
    const age = new ReadAge();
    age.ask(at(0));
    age.answered();
    age.ask(at(10));
    expect(age.timestampAt(at(15))).toBe(at(15));
    expect(age.timestampAt(at(16))).toBe(at(0));
    age.answered();
    expect(age.timestampAt(at(17))).toBe(at(17));
    age.ask(at(20));
    expect(age.timestampAt(at(26))).toBe(at(10));
  });

  it('no ping ever answered: unknown age, and the moment counts', () => {
    const age = new ReadAge();
    age.ask(at(0));
    expect([age.timestampAt(at(100)), age.isBehind(at(100))]).toEqual([at(100), false]);
  });

  it('a ping that waits half a minute: given up, and begun anew', () => {
    const age = new ReadAge();
    age.ask(at(0));
    age.answered();
    age.ask(at(10));
    expect([age.isBehind(at(40)), age.isBehind(at(41))]).toEqual([false, true]);
    expect(age.ask(at(41))).toBe(false);
    age.reset();
    expect([age.isBehind(at(41)), age.timestampAt(at(41)), age.ask(at(41))]).toEqual([false, at(41), true]);
  });
});

it('an answer that took long is as old as its question', () => {
  expect(responseTimestamp(at(10), 1500)).toBe(at(10));
  expect(responseTimestamp(at(10), 4000)).toBe(at(6));
});
