import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/recordings.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import { arrayLevels, type BookTable, book } from './book.ts';
import { ms, number } from './field.ts';

const TABLE: BookTable = {
  bids: arrayLevels('bids'),
  asks: arrayLevels('asks'),
  sequence: number('u'),
  firstSequence: number('U'),
  previousSequence: number('pu'),
  venueTime: ms('ts'),
};
const STAMPS = { u: 7, U: 5, pu: 4, ts: 1_790_000_000_000 };

const decode = (stamps: object) => {
  const out = emptyDecoded();
  const wire = { bids: [['1', '2']], asks: [['3', '4']], ...stamps };
  const units = { multiplier: 1, perContract: 1 };
  book(TABLE, 'delta')({ wire, symbol: 'BTC', units, context: contextOf() }, out);
  return out;
};

describe('the stamps of a book message', () => {
  it.each(['u', 'U', 'pu'])('whose %s is stated and cannot be read make it a reject', (name) => {
    for (const [raw, reason] of [
      ['x', 'malformed'],
      [{ odd: 1 }, 'malformed'],
      [2 ** 65, 'out_of_range'],
    ]) {
      const { books, rejects } = decode({ ...STAMPS, [name]: raw });
      expect(books).toEqual([]);
      expect(rejects).toEqual([{ symbol: 'BTC', reason, detail: name }]);
    }
  });

  it('an unreadable time: a fault, and the book is taken without it', () => {
    const { books, rejects } = decode({ ...STAMPS, ts: 'x' });
    expect(books).toMatchObject([{ sequence: 7, firstSequence: 5, previousSequence: 4 }]);
    expect(books[0]).not.toHaveProperty('venueTime');
    expect(rejects).toEqual([{ symbol: 'BTC', reason: 'malformed', detail: 'ts' }]);
  });

  it.each([{}, { u: null, ts: '' }, { u: 7, pu: -1, ts: 0 }])('%j are taken as they are', (stamps) => {
    const { books, rejects } = decode(stamps);
    expect(books).toHaveLength(1);
    expect(rejects).toEqual([]);
  });
});
