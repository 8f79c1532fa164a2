import { expect, it } from 'vitest';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { backpack } from '../../src/venues/backpack/index.ts';
import { cryptocom } from '../../src/venues/cryptocom/index.ts';
import { deribit } from '../../src/venues/deribit/index.ts';
import { phemex } from '../../src/venues/phemex/index.ts';
import { whitebit } from '../../src/venues/whitebit/index.ts';
import { BookRig } from './book-rig.ts';
import { PlainBook } from './plain-book.ts';
import { describeRecorded, readLines, readPayload } from './sessions.ts';

function rigOf({ books }: VenueAdapter, ...symbols: readonly string[]): BookRig {
  if (books === undefined) throw new Error('no books');
  const rig = new BookRig(books);
  rig.follow(...symbols);
  return rig;
}

/** Replays a session without one of its frames, beside the plainest book there is. */
function replay(adapter: VenueAdapter, symbol: string, frames: readonly string[], skip?: number) {
  const rig = rigOf(adapter, symbol);
  const plain = new PlainBook();
  for (const [i, frame] of frames.entries()) {
    if (i === skip) continue;
    rig.push(frame);
    for (const update of rig.decode(JSON.parse(frame)).books) {
      if (update.kind === 'snapshot') plain.replace(update);
      else plain.apply(update);
    }
  }
  return { rig, plain, breaks: rig.books.stats().breaks };
}

/** The frame with another text in it. */
function edited(frame: string | undefined, from: string, to: string): string {
  if (frame?.includes(from) !== true) throw new Error(`no ${from} in the frame`);
  return frame.replace(from, to);
}

describeRecorded('samples', 'recorded Deribit books', () => {
  const option = 'BTC-24SEP21-8000-P';
  const chain = readLines('samples', 'deribit/ws-book-option-chain.jsonl');

  it('a snapshot and 30 changes chain, and end as the plainest book does', () => {
    const { rig, plain, breaks } = replay(deribit, option, chain);
    expect(chain).toHaveLength(31);
    expect(Object.values(breaks).every((count) => count === 0)).toBe(true);
    expect(rig.levels(option)).toEqual(plain.levels());
    expect(rig.levels(option)?.asks.length).toBeGreaterThan(10);
  });

  it('any frame that is missing is found, and the topic is subscribed to again', () => {
    for (let skip = 1; skip < chain.length - 1; skip++) {
      const { rig, breaks } = replay(deribit, option, chain, skip);
      expect(breaks.gap, `without frame ${skip}`).toBe(1);
      expect(rig.levels(option)).toBeUndefined();
      expect(rig.renewed).toEqual([`book.${option}.100ms`]);
    }
  });

  it('a perpetual: a snapshot is taken, the change that does not follow it is not', () => {
    const [ack = '', snapshot = '', later = ''] = readLines('samples', 'deribit/ws-book-linear-frames.jsonl');
    const symbol = 'NVDA_USDC-PERPETUAL';
    const rig = rigOf(deribit, symbol);
    rig.push(ack);
    rig.push(snapshot);
    expect(rig.levels(symbol)?.bids[0]).toEqual([228.51, 0.22]);
    rig.push(later);
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.renewed).toEqual([`book.${symbol}.100ms`]);
  });

  it('a perpetual: the same change is taken where it follows', () => {
    const [, snapshot = '', later = ''] = readLines('samples', 'deribit/ws-book-linear-frames.jsonl');
    const symbol = 'NVDA_USDC-PERPETUAL';
    const rig = rigOf(deribit, symbol);
    rig.push(snapshot);
    rig.push(edited(later, '"prev_change_id":193809644396', '"prev_change_id":193809616666'));
    expect(rig.levels(symbol)?.asks.at(-1)).toEqual([228.58, 91.89]);
  });

  it('the REST book carries the same kind of number', () => {
    const payload = readPayload('samples', 'deribit/order-book.json') as { result: { change_id: number } };
    const { decode } = deribit.books?.rest?.call ?? {};
    // The recorded contract is inverse; the format is the same under the name of a linear one.
    const linear = JSON.parse(JSON.stringify(payload).replaceAll('BTC-PERPETUAL', 'BTC_USDC-PERPETUAL'));
    const [book] = decode?.(linear, { instruments: new Map() }).books ?? [];
    expect(book).toMatchObject({ kind: 'snapshot', sequence: payload.result.change_id });
    expect(book?.bids).toHaveLength(20);
  });
});

describeRecorded('samples', 'recorded Phemex books', () => {
  const session = readLines('samples', 'phemex/ws-book-legacy-xtzusd.jsonl');
  const symbol = 'XTZUSD';

  it('a snapshot and 392 changes only ever grow, and end as the plainest book does', () => {
    const { rig, plain, breaks } = replay(phemex, symbol, session);
    expect(session).toHaveLength(393);
    expect(Object.values(breaks).every((count) => count === 0)).toBe(true);
    expect(rig.levels(symbol)).toEqual(plain.levels());
  });

  it('a missing frame is not detected', () => {
    for (const skip of [1, 20, 150, 390]) {
      const { rig, plain, breaks } = replay(phemex, symbol, session, skip);
      expect(breaks.gap).toBe(0);
      expect(rig.levels(symbol)).toEqual(plain.levels());
    }
  });

  it('reordered frames are detected', () => {
    const swapped = [...session.slice(0, 40), ...session.slice(41, 42), ...session.slice(40, 41)];
    const { rig, breaks } = replay(phemex, symbol, swapped);
    expect(breaks.gap).toBe(1);
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.renewed).toEqual([symbol]);
  });

  it('frames of 2026: numbers skip, and belong to several contracts', () => {
    const lines = readLines('samples', 'phemex/ws-book-2026.jsonl');
    const rig = rigOf(phemex, 'ETHUSDT', 'BTCUSDT');
    const touch = { bids: [['86510.6', '1']], asks: [['86586.2', '2']] };
    rig.push(
      JSON.stringify({
        ...{ depth: 0, orderbook_p: touch, sequence: 68604886401, symbol: 'BTCUSDT' },
        ...{ timestamp: 1_790_133_513_600 * 1e6, type: 'snapshot' },
      }),
    );
    for (const line of lines) rig.push(line);
    expect(rig.levels('ETHUSDT')?.bids[0]).toEqual([2763.86, 32.22]);
    expect(rig.levels('BTCUSDT')?.bids[0]).toEqual([86512.1, 2.36]);
    expect(rig.books.stats().breaks.gap).toBe(0);
    expect(lines.filter((line) => line.includes('"incremental"'))).toHaveLength(2);
  });
});

describeRecorded('samples', 'recorded WhiteBIT books', () => {
  const symbol = 'ETH_PERP';
  const [ack = '', snapshot = '', change = ''] = readLines('samples', 'whitebit/ws-depth-eth-perp.jsonl');

  it('the change follows the snapshot by past_update_id, its asks left out', () => {
    const rig = rigOf(whitebit, symbol);
    for (const frame of [ack, snapshot, change]) rig.push(frame);
    expect(rig.levels(symbol)).toEqual({
      bids: [
        [2747.92, 9.31],
        [2747.78, 4.32],
        [2747.71, 0.04],
        [2747.18, 0.36],
        [2746.57, 0.36],
      ],
      asks: [
        [2747.93, 0.2],
        [2748.56, 0.71],
        [2748.65, 1.32],
      ],
    });
  });

  it('a change after one that is missing is found', () => {
    const rig = rigOf(whitebit, symbol);
    rig.push(snapshot);
    rig.push(change);
    const later = edited(
      change,
      '"update_id":21244231356,"past_update_id":21244231142',
      '"update_id":21244231999,"past_update_id":21244231800',
    );
    rig.push(later);
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.renewed).toEqual([symbol]);
  });

  it('a delta without a snapshot is not applied', () => {
    const [lone = '', resting = ''] = readLines('samples', 'whitebit/ws-depth-other.jsonl');
    const rig = rigOf(whitebit, 'BTC_PERP');
    rig.push(lone);
    rig.push(resting);
    expect(rig.levels('BTC_PERP')).toBeUndefined();
  });
});

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

describeRecorded('samples', 'recorded Backpack books', () => {
  const symbol = 'BTC_USDC_PERP';
  const [change = ''] = readLines('samples', 'backpack/ws-depth.jsonl');
  const depth = readPayload('samples', 'backpack/depth.json') as object;
  const levels = { bids: [['86700', '1.0']], asks: [['86700.5', '2.0']] };

  const run = async (lastUpdateId: string, sides: object = {}) => {
    const rig = rigOf(backpack, symbol);
    rig.push(change);
    await rig.ask().answer({ ...depth, ...sides, lastUpdateId });
    return rig;
  };

  it('joins the delta that starts right after the REST snapshot', async () => {
    const rig = await run('6730019257');
    expect(rig.books.stats()).toMatchObject({ live: 1, breaks: { gap: 0, old_seed: 0 } });
    expect(rig.levels(symbol)?.bids[0]).toEqual([86655.9, 1.9423]);
  });

  it('requests again where a delta between them is missing', async () => {
    const rig = await run('6730019256');
    expect(rig.books.stats()).toMatchObject({ live: 0, breaks: { old_seed: 1 } });
    expect(rig.levels(symbol)).toBeUndefined();
  });

  it('finds the level of REST under the price that the stream writes longer', async () => {
    const rig = await run('6730019258', levels);
    rig.push(
      change
        .replace('"U":6730019258', '"U":6730019259')
        .replace('"u":6730019258', '"u":6730019260')
        .replace('["86655.9","1.94230"]', '["86700.0","0.00000"]'),
    );
    expect(rig.levels(symbol)).toEqual({ bids: [], asks: [[86700.5, 2]] });
  });
});
