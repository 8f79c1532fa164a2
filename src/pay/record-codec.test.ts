import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { usdText } from './amount.ts';
import { paymentKey } from './payment.ts';
import { PAYMENT_STATES, type PaymentRecord } from './record.ts';
import { createRecordCodec } from './record-codec.ts';
import { createRecordJson } from './record-json.ts';
import { EXACT_FORMAT } from './schemes/exact/format.ts';

const { read: readRecord, write: recordBytes } = createRecordCodec([EXACT_FORMAT]);
const json = createRecordJson([EXACT_FORMAT]);

/** Hex of all kinds among them: it is stored as bytes where that is read back as it was. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .tuple(fc.constantFrom('', '0x', '0X'), fc.string({ unit: fc.constantFrom(...'01aAf9F'), maxLength: 70 }))
    .map(([prefix, digits]) => prefix + digits),
);
const maybe = fc.option(text, { nil: undefined });
const time = fc.nat().map(asMs);
const maybeTime = fc.option(time, { nil: undefined });
const decimal = fc.nat().map(String);

const records: fc.Arbitrary<PaymentRecord> = fc
  .record({
    version: fc.nat(),
    state: fc.constantFrom(...PAYMENT_STATES),
    routeId: text,
    resource: text,
    resourceHash: text,
    network: text,
    asset: text,
    payTo: text,
    authorization: fc.record({
      from: text,
      to: text,
      value: decimal,
      validAfter: decimal,
      validBefore: decimal,
      nonce: text,
    }),
    signature: text,
    paymentIdHash: maybe,
    idMisses: fc.nat(),
    claimedAt: time,
    settlingAt: maybeTime,
    settledAt: maybeTime,
    deliveredAt: maybeTime,
    closedAt: maybeTime,
    facilitator: maybe,
    transaction: maybe,
    proof: fc.constantFrom(undefined, 'rpc' as const, 'facilitator' as const),
    reason: maybe,
    owner: maybe,
    leaseUntil: maybeTime,
    dueAt: maybeTime,
    attempts: fc.nat(),
    answerId: maybe,
    storedBytes: fc.nat(),
    answerUntil: maybeTime,
  })
  .map((drawn) => {
    const { authorization, signature, ...rest } = drawn;
    const { from: payer, nonce } = authorization;
    const signed = { signature, authorization };
    return {
      ...rest,
      key: paymentKey(rest.network, rest.asset, { payer, nonce }),
      payer,
      nonce,
      scheme: 'exact',
      signed,
      overAt: EXACT_FORMAT.overAt(signed),
      amount: authorization.value,
      usd: usdText(BigInt(authorization.value)),
    };
  });

describe('a payment as it is stored', () => {
  it('is read as it was written, with any texts in between', () => {
    fc.assert(
      fc.property(records, records, (record, other) => {
        const bytes = recordBytes(record);
        expect(readRecord(recordBytes(other))).toEqual(other);
        expect(readRecord(bytes)).toEqual(record);
        expect(json.read(JSON.parse(json.write(record)))).toEqual(record);
      }),
    );
  });

  it('distinguishes empty from unknown', () => {
    fc.assert(
      fc.property(records, (record) => {
        const blank = {
          ...record,
          reason: '',
          owner: undefined,
          resource: '',
          settledAt: asMs(0),
          dueAt: undefined,
        };
        const read = readRecord(recordBytes(blank));
        expect(read).toEqual(blank);
        expect(Object.keys(read).sort()).toEqual(Object.keys(blank).sort());
      }),
    );
  });

  it('refuses to encode unsupported values and to decode unknown formats', () => {
    const [record] = fc.sample(records, { numRuns: 1, seed: 1 });
    if (record === undefined) throw new Error('no record');
    expect(() => recordBytes({ ...record, resource: 'x'.repeat(32_768) })).toThrow(RangeError);
    for (const digit of ['x', 'a'])
      for (const length of [32_765, 32_766, 32_767]) {
        const long = { ...record, resource: digit.repeat(length) };
        expect(readRecord(recordBytes(long))).toEqual(long);
      }
    const bytes = recordBytes(record);
    for (const wrong of [Buffer.from('{"version":1}'.padEnd(400)), bytes.subarray(0, 40), Buffer.alloc(0)]) {
      expect(() => readRecord(wrong)).toThrow('not a payment');
    }
  });
});
