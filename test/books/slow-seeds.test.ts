import { describe, expect, it } from 'vitest';
import { backpack } from '../../src/venues/backpack/index.ts';
import { type Ask, BookRig } from './book-rig.ts';

/** Weight a second that REST books of the venue may spend. */
function restPerSecond(): number {
  const [pool] = backpack.budget.pools;
  return ((pool?.limit ?? 0) / (pool?.perMs ?? 1)) * 1000 * (backpack.books?.rest?.budgetShare ?? 0);
}

const SYMBOLS = Array.from({ length: 80 }, (_, i) => `C${i}_USDC_PERP`);
const BOOK = { bids: [['99', '1']], asks: [['101', '1']], lastUpdateId: '7', timestamp: 0 };

/** A venue all of whose books begin with REST, and whose answers take this long. */
async function begun(answerMs: number, forMs: number) {
  if (backpack.books === undefined) throw new Error('no books');
  const rig = new BookRig(backpack.books, { restPerSecond: restPerSecond() });
  rig.follow(...SYMBOLS);
  const askedAt = new Map<Ask, number>();
  let most = 0;
  for (let t = 0; t < forMs; t += 250) {
    rig.pass(250);
    for (const ask of [...rig.asks]) {
      const at = askedAt.get(ask);
      if (at === undefined) askedAt.set(ask, t);
      else if (t - at >= answerMs) await ask.answer(BOOK);
    }
    most = Math.max(most, rig.asks.length);
  }
  return { live: rig.books.stats().live, most };
}

describe('books with an initial snapshot over REST', () => {
  it('responses of five seconds: a start as fast as the bucket', async () => {
    expect(restPerSecond()).toBe(3);
    const { live, most } = await begun(5000, 45_000);
    expect(live).toBe(SYMBOLS.length);
    expect(most).toBeLessThanOrEqual(16);
  });

  it('quick responses: no faster than the token bucket allows', async () => {
    const { live } = await begun(250, 15_000);
    expect(live).toBeGreaterThan(30);
    expect(live).toBeLessThanOrEqual(3 * 16);
  });
});
