import { describe, expect, test } from 'vitest';
import { BookAsks } from './book-asks.ts';

const START = 1_800_000_000_000;
const MINUTE = 60_000;

describe('asks for books', () => {
  test('first asked for within two seconds: pending, then no more', () => {
    const asks = new BookAsks();
    expect(asks.isPending('v', 'A', START)).toBe(false);
    asks.unmet('v', 'A', START);
    expect(asks.isPending('v', 'A', START + 1999)).toBe(true);
    expect(asks.isPending('v', 'B', START)).toBe(false);
    asks.unmet('v', 'A', START + 1000);
    expect(asks.isPending('v', 'A', START + 2000)).toBe(false);
  });

  test('a book that has come: the next ask in vain is a first one', () => {
    const asks = new BookAsks();
    asks.unmet('v', 'A', START);
    asks.met('v', 'A');
    expect(asks.isPending('v', 'A', START)).toBe(false);
    asks.unmet('v', 'A', START + MINUTE);
    expect(asks.isPending('v', 'A', START + MINUTE)).toBe(true);
  });

  test('nobody asked for five minutes: the next ask is a first one', () => {
    const asks = new BookAsks();
    asks.unmet('v', 'A', START);
    asks.unmet('v', 'A', START + 5 * MINUTE);
    expect(asks.isPending('v', 'A', START + 5 * MINUTE)).toBe(false);
    asks.unmet('v', 'A', START + 10 * MINUTE + 1);
    expect(asks.isPending('v', 'A', START + 10 * MINUTE + 1)).toBe(true);
  });

  test('a clock that was set back: no book is pending for longer', () => {
    const asks = new BookAsks();
    asks.unmet('v', 'A', START);
    expect(asks.isPending('v', 'A', START - MINUTE)).toBe(false);
  });
});
