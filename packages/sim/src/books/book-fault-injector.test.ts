import { beforeEach, describe, expect, it } from 'vitest';
import { asMs } from '../../../../src/domain/units.ts';
import type { BookDistortion } from '../book-distortion.ts';
import { type FaultRule, Faults } from '../faults.ts';
import { BookFaultInjector } from './book-fault-injector.ts';
import type { BookFault } from './book-faults.ts';

let now: number;
let faults: Faults;
let sent: string[];
let injector: BookFaultInjector;

beforeEach(() => {
  now = 1000;
  sent = [];
  faults = new Faults({ now: () => asMs(now) });
  injector = new BookFaultInjector({
    faults,
    venue: 'v',
    path: '/ws',
    send: (frame) => sent.push(String(frame)),
    cut: (frame) => sent.push(`cut ${frame}`),
  });
});

const rule = (fault: BookFault, more: Partial<FaultRule> = {}) =>
  faults.add({ venue: 'v', fault, times: 1, ...more });
const snapshot = (text: string, symbol = 'A') => injector.send(text, { symbol, isSnapshot: true });
const changes = (...texts: string[]) => {
  for (const text of texts) injector.send(text, { symbol: text.charAt(0), isSnapshot: false });
};

describe('faults of book messages', () => {
  it('lets everything through without a rule', () => {
    snapshot('A0');
    changes('A1', 'A2');
    expect(sent).toEqual(['A0', 'A1', 'A2']);
  });

  it('drops a delta, never the first snapshot', () => {
    rule({ kind: 'book-gap' });
    snapshot('A0');
    changes('A1', 'A2');
    expect(sent).toEqual(['A0', 'A2']);
  });

  it('drops a snapshot that follows another', () => {
    rule({ kind: 'book-gap' });
    snapshot('A0');
    snapshot('A1');
    snapshot('A2');
    expect(sent).toEqual(['A0', 'A2']);
  });

  it('sends a frame twice', () => {
    rule({ kind: 'book-duplicate' });
    changes('A1', 'A2');
    expect(sent).toEqual(['A1', 'A1', 'A2']);
  });

  it('swaps two frames of one contract, past those of others', () => {
    rule({ kind: 'book-reorder' });
    changes('A1', 'B1', 'A2', 'A3');
    expect(sent).toEqual(['B1', 'A2', 'A1', 'A3']);
  });

  it('delays a snapshot behind later deltas', () => {
    rule({ kind: 'book-late-snapshot', behind: 2 });
    snapshot('A0');
    changes('A1', 'A2', 'A3');
    expect(sent).toEqual(['A1', 'A2', 'A0', 'A3']);
  });

  it('stalls one contract for a time', () => {
    faults.add({ venue: 'v', symbol: 'A', fault: { kind: 'book-stall' }, forMs: 500 });
    changes('A1', 'B1');
    now += 500;
    changes('A2');
    expect(sent).toEqual(['B1', 'A2']);
  });

  it('cuts a frame', () => {
    rule({ kind: 'book-cut' });
    changes('A1');
    expect(sent).toEqual(['cut A1']);
  });

  it('a named venue: every n-th frame of it is hit', () => {
    rule({ kind: 'book-gap' }, { venue: 'other' });
    faults.add({ venue: 'v', fault: { kind: 'book-gap' }, every: 2 });
    changes('A1', 'A2', 'A3', 'A4');
    expect(sent).toEqual(['A1', 'A3']);
  });

  it('does not affect requests or whole streams', () => {
    faults.add({ venue: 'v', fault: { kind: 'book-stall' } });
    expect(faults.hit({ venue: 'v', path: '/', body: '', on: 'rest' })).toBeUndefined();
    expect(faults.onStream('v', '/ws')).toBeUndefined();
  });
});

describe('faults of book content', () => {
  const sides = { bids: [['99', '1', 'x']], asks: [['101', '2'] as const, ['102', '3'] as const] } as const;
  let distortion: BookDistortion;
  beforeEach(() => {
    distortion = injector.book('A');
  });

  it('returns its input without a rule', () => {
    expect([distortion.time(5000), distortion.sides(sides)]).toEqual([5000, sides]);
  });

  it('puts a bid over the asks', () => {
    rule({ kind: 'book-crossed' }, { symbol: 'A' });
    expect(injector.book('B').sides(sides)).toEqual(sides);
    expect(distortion.sides(sides).bids).toEqual([['102', '1', 'x'], ...sides.bids]);
    expect(distortion.sides(sides)).toEqual(sides);
  });

  it('freezes a book at the time of the rule until the rule ends', () => {
    faults.add({ venue: 'v', fault: { kind: 'book-frozen' }, forMs: 100 });
    now += 50;
    expect(distortion.time(1050)).toBe(1000);
    now += 50;
    expect(distortion.time(1100)).toBe(1100);
  });
});
