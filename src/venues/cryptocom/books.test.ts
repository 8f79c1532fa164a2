import { describe, expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { sessionOf } from '../../../test/books/dialect-session.ts';
import { edited } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { cryptocom } from './index.ts';

describeRecorded('samples', 'recorded Crypto.com books', () => {
  const symbol = 'ETHUSD-PERP';
  const [ack = '', snapshot = '', change = '', idle = ''] = readLines(
    'samples',
    'cryptocom/ws-book-ethusd-perp.jsonl',
  );

  it('a snapshot is taken, the change that does not follow it is not', () => {
    const rig = rigOf(cryptocom, symbol);
    rig.push(ack);
    rig.push(snapshot);
    expect(rig.levels(symbol)?.asks[0]).toEqual([2749.62, 0.2008]);
    rig.push(change);
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.renewed).toEqual([`book.${symbol}.50`]);
  });

  it('the same change is taken where it follows', () => {
    const rig = rigOf(cryptocom, symbol);
    rig.push(snapshot);
    rig.push(edited(change, '"pu":375554807297984', '"pu":375554806244928'));
    expect(rig.levels(symbol)?.asks.at(-1)).toEqual([2753.11, 0.2616]);
    expect(rig.levels(symbol)?.bids.at(-1)).toEqual([2748.1, 5.4582]);
  });

  it('an empty delta confirms the book', () => {
    const rig = rigOf(cryptocom, 'NVDAUSD-PERP');
    const whole = edited(
      edited(snapshot, `"${symbol}"`, '"NVDAUSD-PERP"'),
      '375554806244928',
      '369501268112000',
    );
    rig.push(whole);
    rig.pass(5000);
    rig.push(idle);
    expect(rig.quote('NVDAUSD-PERP')).toMatchObject({ ageMs: 0, source: 'stream' });
  });
});

describe('a quiet Crypto.com book', () => {
  it('is confirmed by empty deltas', async () => {
    const session = sessionOf('cryptocom');
    const { dialect } = session;
    await session.begin();
    session.rig.pass(5000);
    const quiet = session.numberOf(0);
    session.rig.push(dialect.change(quiet, quiet, { bids: [], asks: [] }));
    expect(session.rig.quote(dialect.symbol)).toMatchObject({ ageMs: 0 });
    session.change(1);
    expect(session.levels?.bids[0]).toEqual([149.95, 12]);
  });
});

describeKeepAlive(cryptocom, {
  pong: [
    { id: 1761069137485, method: 'public/heartbeat', code: 0 },
    { id: 1761069137485, method: 'public/respond-heartbeat' },
  ],
});
