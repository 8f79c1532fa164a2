import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { readReceiptBytes, receiptBytes } from './receipt-bytes.ts';
import type { PaymentRecord } from './record.ts';

const SALE = {
  resource: '/v1/perp/basis?ticker=BTC',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: `0x${'33'.repeat(20)}`,
  payer: `0x${'11'.repeat(20)}`,
  amount: '5000',
  transaction: `0x${'ab'.repeat(32)}`,
  settledAt: asMs(Date.UTC(2026, 10, 22, 12)),
} as PaymentRecord;

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');
const jws = (header: string, payload: string, signature: Uint8Array): string =>
  `${base64url(header)}.${base64url(payload)}.${Buffer.from(signature).toString('base64url')}`;

const digest = fc.uint8Array({ minLength: 32, maxLength: 32 });
/** Texts as fields of receipts have them, and some that come near. */
const word = fc.oneof(
  fc.constantFrom(
    ...['', '"', '#', 'null', SALE.resource, `GET ${SALE.resource}`, `https://a.example${SALE.resource}`],
    ...[
      SALE.payer,
      SALE.asset,
      '2026-11-22T12:00:00.000Z',
      '2026-11-22T12:00:00.001Z',
      '-000001-01-01T00:00:00.000Z',
    ],
    'é'.repeat(300),
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  digest.map((bytes) => Buffer.from(bytes).toString('base64url')),
  digest.map((bytes) => `${Buffer.from(bytes).toString('base64url').slice(0, -1)}_`),
);
const value = fc.oneof(
  word.map((text) => JSON.stringify(text)),
  fc.constantFrom('null', '1', '1795312800'),
);
const header = fc.oneof(
  word.map((id) => `{"alg":"EdDSA","kid":"did:web:${id}#${id}"}`),
  word.map((id) => `{"alg":"EdDSA","kid":"did:web:${id}#${id}","typ":"perpmeter-receipt"}`),
  word,
);
const official = fc
  .array(value, { minLength: 5, maxLength: 5 })
  .map(
    ([at, network, payer, url, hash]) =>
      `{"issuedAt":${at},"network":${network},"payer":${payer},"resourceUrl":${url},"transaction":${hash},"version":1}`,
  );
const NAMES = [
  'amount',
  'as_of',
  'asset',
  'body_sha256',
  'issued_at',
  'json_sha256',
  'network',
  'payer',
].concat('request', 'route_table', 'sources', 'transaction');
const answer = fc
  .array(value, { minLength: NAMES.length, maxLength: NAMES.length })
  .map((values) => `{${NAMES.map((name, i) => `"${name}":${values[i]}`).join(',')},"version":1}`);
const text = fc.oneof(
  fc
    .tuple(header, fc.oneof(official, answer, word), fc.uint8Array({ maxLength: 260 }))
    .map((parts) => jws(...parts)),
  fc.string({ unit: fc.constantFrom(...'abAB12-_.=+/ ') }),
);

describe('receipts as bytes', () => {
  it('any two texts: read as they were written', () => {
    fc.assert(
      fc.property(text, text, (official, answer) => {
        const receipts = { official, answer };
        expect(readReceiptBytes(SALE, receiptBytes(SALE, receipts))).toEqual(receipts);
      }),
    );
  });

  it('of long texts: read as they were written', () => {
    const long = jws('{}', 'a'.repeat(5_000), Buffer.alloc(64));
    const receipts = { official: long, answer: long };
    expect(readReceiptBytes(SALE, receiptBytes(SALE, receipts))).toEqual(receipts);
  });

  it('as older builds wrote them, two lines: read as they are', () => {
    expect(readReceiptBytes(SALE, Buffer.from('eyJh.eyJi.AA\neyJh.eyJj.AA', 'latin1'))).toEqual({
      official: 'eyJh.eyJi.AA',
      answer: 'eyJh.eyJj.AA',
    });
    expect(readReceiptBytes(SALE, Buffer.from('eyJh.eyJi.AA'))).toBeUndefined();
  });

  it('of another sale, or damaged: none, never other words', () => {
    const payload = `{"issuedAt":1795348800,"network":"eip155:8453","payer":"${SALE.payer}","resourceUrl":"https://a.example/v1/perp/basis","transaction":"${SALE.transaction}","version":1}`;
    const one = jws('{"alg":"EdDSA","kid":"did:web:a.example#k"}', payload, Buffer.alloc(64, 7));
    const receipts = { official: one, answer: one };
    const bytes = receiptBytes(SALE, receipts);
    expect(readReceiptBytes(SALE, bytes)).toEqual(receipts);
    expect(readReceiptBytes({ ...SALE, transaction: '0x01' }, bytes)).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        // The first byte alone says how to read the others; text of older builds begins with a letter.
        const read = at === 0 ? undefined : readReceiptBytes(SALE, damaged);
        expect(read ?? receipts).toEqual(receipts);
      }),
    );
    for (let end = 1; end < bytes.length; end++)
      expect(readReceiptBytes(SALE, bytes.subarray(0, end))).toBeUndefined();
  });
});
