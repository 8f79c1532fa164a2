import { bookEvent } from '@perpmeter/sim/venues/paradex-sbe';
import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/samples.ts';
import { paradex } from './index.ts';
import { readBinary } from './sbe.ts';

/** The SBE encoding of a missing `int64`, little endian. */
const NULL = '0000000000000080';
const NULLS = NULL.repeat(9);
/** 0.00000001, twice and three times that, and a size of 0: the fields' own form, little endian. */
const [ONE, TWO, THREE, ZERO] = ['01', '02', '03', '00'].map((byte) => byte.padEnd(16, '0'));
const NAME = '0c4254432d5553442d50455250';
/** 2026-10-08T00:00:00.001002Z in microseconds. */
const TS = 'ea43b1e9485d0600';

/** A book message by the schema: header, block, bids, asks, name of the market. */
const message = (parts: {
  head?: string;
  kind?: string;
  more?: string;
  bids?: string;
  asks?: string;
  name?: string;
}) => {
  const { head = '5900030001000100', kind = '00', more = '', bids = '10000000', asks = '10000000' } = parts;
  return Buffer.from(
    `${head}${TS}2a00000000000000${kind}${NULLS}${more}${bids}${asks}${parts.name ?? NAME}`,
    'hex',
  );
};

const books = (bytes: Uint8Array) =>
  paradex.books?.stream?.call.decode(readBinary(bytes), contextOf()).books ?? [];

describe('paradex binary frames', () => {
  it('are requested by the address of the socket', () => {
    expect(paradex.bases.ws).toBe('wss://ws-public.api.prod.paradex.trade');
    expect(paradex.books?.stream?.path).toBe('/v1?sbeSchemaId=1&sbeSchemaVersion=1');
    expect(paradex.books?.stream?.binary).toBe(readBinary);
  });

  it('a snapshot: units of 10^-8, sequence, time in microseconds', () => {
    const whole = message({ bids: `10000100${ONE}${TWO}`, asks: `10000100${TWO}${THREE}` });
    expect(books(whole)).toEqual([
      {
        symbol: 'BTC-USD-PERP',
        kind: 'snapshot',
        bids: [[1e-8, 2e-8]],
        asks: [[2e-8, 3e-8]],
        sequence: 42,
        venueTime: Date.UTC(2026, 9, 8, 0, 0, 0, 1),
      },
    ]);
  });

  it('contain deltas, where a size of 0 deletes a level', () => {
    const change = message({ kind: '01', bids: `10000200${TWO}${ONE}${ONE}${ZERO}` });
    expect(books(change)).toMatchObject([
      {
        kind: 'delta',
        bids: [
          [2e-8, 1e-8],
          [1e-8, 0],
        ],
        asks: [],
      },
    ]);
  });

  it('may be longer than known: what later versions append is skipped', () => {
    const longer = message({
      head: '6100030001000200',
      more: 'ff'.repeat(8),
      bids: `18000100${ONE}${TWO}${'ff'.repeat(8)}`,
      name: `${NAME}0161`,
    });
    expect(books(longer)).toMatchObject([{ symbol: 'BTC-USD-PERP', bids: [[1e-8, 2e-8]], asks: [] }]);
  });

  it.each([
    ['price', `${NULL}${ONE}`],
    ['size', `${ONE}${NULL}`],
  ])('with null for a %s: no level is made of it', (_, level) => {
    const frame = readBinary(message({ bids: `10000100${level}`, asks: `10000100${TWO}${THREE}` }));
    const decoded = paradex.books?.stream?.call.decode(frame, contextOf());
    expect(decoded).toMatchObject({ books: [], rejects: [{ symbol: 'BTC-USD-PERP' }] });
  });

  it('that are truncated, or of another schema, are rejected', () => {
    const whole = message({ bids: `10000100${ONE}${TWO}`, asks: `10000100${TWO}${THREE}` });
    for (let length = 0; length < whole.length; length++) {
      expect(readBinary(whole.subarray(0, length))).toBeUndefined();
    }
    expect(readBinary(message({ head: '5900030002000100' }))).toBeUndefined();
    // A block or a level shorter than its fields.
    expect(readBinary(message({ head: '5800030001000100' }))).toBeUndefined();
    expect(readBinary(message({ bids: `08000100${ONE}` }))).toBeUndefined();
  });

  it('of other templates are ignored', () => {
    const heartbeat = readBinary(Buffer.from('0800280001000100', 'hex'));
    const decoded = paradex.books?.stream?.call.decode(heartbeat, contextOf());
    expect(decoded).toMatchObject({ books: [], quotes: [], rejects: [] });
  });

  it('of the simulated venue decode to their source values', () => {
    const at = Date.UTC(2026, 9, 20, 13, 20, 0);
    const rows = { bids: [['84209.4', '0.00001']], asks: [['84210', '1234.5']] };
    const frame = bookEvent({ market: 'kPEPE-USD-PERP', seqNo: 7_678_386_728, at, isWhole: false, ...rows });
    expect(readBinary(frame)).toMatchObject({
      params: {
        data: {
          market: 'kPEPE-USD-PERP',
          seq_no: 7_678_386_728,
          last_updated_at: at,
          update_type: 'd',
          updates: [
            { side: 'BUY', price: 84209.4, size: 0.00001 },
            { side: 'SELL', price: 84210, size: 1234.5 },
          ],
        },
      },
    });
  });
});
