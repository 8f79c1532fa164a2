import { beforeEach, describe, expect, it } from 'vitest';
import { asMs } from '../../domain/units.ts';
import type { BookHand } from '../book-hand.ts';
import { type FaultRule, Faults } from '../faults.ts';
import { BookBender } from './book-bender.ts';
import type { BookFault } from './book-faults.ts';

let now: number;
let faults: Faults;
let sent: string[];
let bender: BookBender;

beforeEach(() => {
  now = 1000;
  sent = [];
  faults = new Faults({ now: () => asMs(now) });
  bender = new BookBender({
    ...{ faults, venue: 'v', path: '/ws' },
    send: (frame) => sent.push(String(frame)),
    cut: (frame) => sent.push(`cut ${frame}`),
  });
});

const rule = (fault: BookFault, more: Partial<FaultRule> = {}) =>
  faults.add({ venue: 'v', fault, times: 1, ...more });
const whole = (text: string, symbol = 'A') => bender.send(text, { symbol, whole: true });
const changes = (...texts: string[]) => {
  for (const text of texts) bender.send(text, { symbol: text.charAt(0), whole: false });
};

describe('faults of book frames', () => {
  it('lets everything through without a rule', () => {
    whole('A0');
    changes('A1', 'A2');
    expect(sent).toEqual(['A0', 'A1', 'A2']);
  });

  it('drops a change and no first whole book', () => {
    rule({ kind: 'book-gap' });
    whole('A0');
    changes('A1', 'A2');
    expect(sent).toEqual(['A0', 'A2']);
  });

  it('drops a whole book that follows another', () => {
    rule({ kind: 'book-gap' });
    whole('A0');
    whole('A1');
    whole('A2');
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

  it('holds a whole book behind later changes', () => {
    rule({ kind: 'book-late-snapshot', behind: 2 });
    whole('A0');
    changes('A1', 'A2', 'A3');
    expect(sent).toEqual(['A1', 'A2', 'A0', 'A3']);
  });

  it('says nothing of one contract for a time', () => {
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

  it('hits one venue, and every n-th frame where it is told so', () => {
    rule({ kind: 'book-gap' }, { venue: 'other' });
    faults.add({ venue: 'v', fault: { kind: 'book-gap' }, every: 2 });
    changes('A1', 'A2', 'A3', 'A4');
    expect(sent).toEqual(['A1', 'A3']);
  });

  it('leaves requests and whole streams alone', () => {
    faults.add({ venue: 'v', fault: { kind: 'book-stall' } });
    expect(faults.hit({ venue: 'v', path: '/', body: '', on: 'rest' })).toBeUndefined();
    expect(faults.onStream('v', '/ws')).toBeUndefined();
  });
});

describe('faults of what a book says', () => {
  const sides = { bids: [['99', '1', 'x']], asks: [['101', '2'] as const, ['102', '3'] as const] } as const;
  let hand: BookHand;
  beforeEach(() => {
    hand = bender.book('A');
  });

  it('answers what it is given without a rule', () => {
    expect([hand.time(5000), hand.sides(sides)]).toEqual([5000, sides]);
  });

  it('puts a bid over the asks', () => {
    rule({ kind: 'book-crossed' }, { symbol: 'A' });
    expect(bender.book('B').sides(sides)).toEqual(sides);
    expect(hand.sides(sides).bids).toEqual([['102', '1', 'x'], ...sides.bids]);
    expect(hand.sides(sides)).toEqual(sides);
  });

  it('keeps a book at the moment when the rule came, until it ends', () => {
    faults.add({ venue: 'v', fault: { kind: 'book-frozen' }, forMs: 100 });
    now += 50;
    expect(hand.time(1050)).toBe(1000);
    now += 50;
    expect(hand.time(1100)).toBe(1100);
  });
});
