import { describe, expect, it } from 'vitest';
import { toyVenue } from '../../../../test/sim/toy-venue.ts';
import type { BookTag, Sides } from '../book-distortion.ts';
import { createWorld } from '../create-world.ts';
import type { SimContract } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';

const T0 = Date.UTC(2026, 9, 20, 12, 0, 30);
const world = createWorld(1);
const [contract] = world.contracts(toyVenue('toy').listing);
if (contract === undefined) throw new Error('the toy venue lists nothing');

interface Said {
  readonly sides: Sides;
  readonly before?: number | undefined;
}

/** A book whose best ask grows by one until a moment, and whose bid is there only before it. */
class ToyBooks extends BookSession {
  protected override readonly restMs = 5000;
  readonly #stillFrom: number;

  constructor(stillFrom: number, said: [Said, BookTag | undefined][]) {
    const send = (frame: string | Buffer, about?: BookTag) =>
      void said.push([JSON.parse(String(frame)) as Said, about]);
    super({ path: '/', send, close: () => {} }, world);
    this.#stillFrom = stillFrom;
  }

  onMessage(name: string): void {
    this.sendWhole(this.follow(name, contract as SimContract, 1, undefined, name === 'whole'));
  }

  protected sidesAt(_c: SimContract, t: number): Sides {
    const step = (Math.min(t, this.#stillFrom) - T0) / 1000;
    return { bids: t < this.#stillFrom ? [['9', '1']] : [], asks: [['10', String(step + 1)]] };
  }

  protected sendBook(followed: FollowedBook, sides: Sides, before?: number): void {
    this.push(followed, { sides, before }, before === undefined);
  }
}

/** Frames of a subscription over some seconds, one tick each. */
function played(name: string, stillFrom: number, seconds: number): [Said, BookTag | undefined][] {
  const said: [Said, BookTag | undefined][] = [];
  const session = new ToyBooks(stillFrom, said);
  session.onTick(T0);
  session.onMessage(name);
  for (let i = 1; i <= seconds; i++) session.onTick(T0 + i * 1000);
  return said;
}

describe('books of a simulated socket', () => {
  it('a book by change: a snapshot, then what changed since the book before', () => {
    const said = played('changes', T0 + 2000, 2);
    const tag = (isSnapshot: boolean) => ({ symbol: contract.symbol, isSnapshot });
    expect(said).toEqual([
      [{ sides: { bids: [['9', '1']], asks: [['10', '1']] } }, tag(true)],
      [{ sides: { bids: [], asks: [['10', '2']] }, before: T0 }, tag(false)],
      [{ sides: { bids: [['9', '0']], asks: [['10', '3']] }, before: T0 + 1000 }, tag(false)],
    ]);
  });

  it('a book that is sent whole: every message is a snapshot', () => {
    const said = played('whole', T0 + 2000, 2);
    expect(said.map(([{ before }, about]) => [before, about?.isSnapshot])).toEqual([
      [undefined, true],
      [undefined, true],
      [undefined, true],
    ]);
    expect(said[2]?.[0].sides).toEqual({ bids: [], asks: [['10', '3']] });
  });

  it('a book at rest: an empty change after its time, not before', () => {
    const said = played('changes', T0 + 1000, 6);
    expect(said.length).toBe(3);
    expect(said[2]?.[0]).toEqual({ sides: { bids: [], asks: [] }, before: T0 + 1000 });
    expect(played('changes', T0 + 1000, 5).length).toBe(2);
  });
});
