import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTerms } from '../../src/pay/check-payment.ts';
import { MAX_PAYMENT_HEADER } from '../../src/pay/parse-payment.ts';
import { routeOf } from './routes.ts';
import {
  account,
  exact,
  parse,
  parsed,
  routes,
  seller,
  signed,
  v1,
  v2,
  withAuthorization,
  withPayload,
} from './signed-payment.ts';
import { encodeHeader, newAccount, signAuthorization, v1Payload } from './wallet.ts';

describe('payments that real buyers send', () => {
  const { accepted, ...withoutAccepted } = v2 as { accepted: object };
  it.each([
    ['v2', encodeHeader(v2)],
    ['v1', encodeHeader(v1)],
    ['v1 with a CAIP-2 network', encodeHeader({ ...v1, network: 'eip155:8453' })],
    ['v1 stamped 2', encodeHeader({ ...v1, x402Version: 2 })],
    ['v1 without a version', encodeHeader({ ...v1, x402Version: undefined })],
    [
      'v2 with the whole challenge echoed',
      encodeHeader({
        ...v2,
        resource: { url: `${seller.baseUrl}/v1/funding/current` },
        extensions: { bazaar: {} },
      }),
    ],
    ['base64url without padding', Buffer.from(JSON.stringify(v2)).toString('base64url')],
    ['missing padding', encodeHeader(v2).replace(/=+$/, '')],
    ['text beyond ASCII', encodeHeader({ ...v2, note: 'Gebühr ½ – 费用' })],
    [
      'accepted with core fields missing',
      encodeHeader({ ...withoutAccepted, accepted: { scheme: 'exact', network: 'base' } }),
    ],
  ])('%s is read in either header', async (_, header) => {
    for (const input of [
      { xPayment: header },
      { paymentSignature: header },
      { xPayment: header, paymentSignature: header },
    ]) {
      const result = parse(input);
      expect(result).toMatchObject({
        ok: true,
        value: {
          payer: account.address.toLowerCase(),
          signed: {
            signature: signed.signature,
            authorization: { from: account.address.toLowerCase(), value: '1000' },
          },
        },
      });
    }
    expect(accepted).toBeDefined();
    const route = routeOf(routes, 'funding-current');
    expect(await checkTerms(exact, parsed(header), route, [1000n])).toEqual({
      ok: true,
      amount: 1000n,
    });
  });

  it('may come in both headers and both generations at once', () => {
    expect(parse({ xPayment: encodeHeader(v1), paymentSignature: encodeHeader(v2) }).ok).toBe(true);
  });

  it('may carry a payment identifier', () => {
    const id = 'pay_0123456789abcdef';
    const extensions = { 'payment-identifier': { info: { required: false, id } } };
    expect(parsed(encodeHeader({ ...v2, extensions })).paymentId).toBe(id);
    expect(parse({ xPayment: encodeHeader(v2), idempotencyKey: id })).toMatchObject({
      value: { paymentId: id },
    });
    for (const idempotencyKey of ['short', 'x'.repeat(129), 'spaces are not allowed']) {
      expect(parse({ xPayment: encodeHeader(v2), idempotencyKey })).toEqual({
        ok: false,
        reason: 'invalid_payment_identifier',
      });
    }
  });
});

describe('garbage', () => {
  const deep = `{"accepted":${'['.repeat(4000)}${']'.repeat(4000)}}`;
  const b64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
  it.each([
    ['no base64', '{"x402Version":2}', 'malformed_payment_header'],
    ['spaces', `${encodeHeader(v2)} `, 'malformed_payment_header'],
    ['two header lines joined', `${encodeHeader(v2)}, ${encodeHeader(v2)}`, 'malformed_payment_header'],
    ['padding in the middle', `ab==${encodeHeader(v2)}`, 'malformed_payment_header'],
    ['no JSON', b64('hello'), 'malformed_payment_header'],
    ['truncated JSON', b64(JSON.stringify(v2).slice(0, -10)), 'malformed_payment_header'],
    ['invalid UTF-8', b64(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])), 'malformed_payment_header'],
    ['null', b64('null'), 'malformed_payment_header'],
    ['an array', b64('[]'), 'malformed_payment_header'],
    ['a number', b64('1'), 'malformed_payment_header'],
    ['deep nesting', b64(deep), 'malformed_payment_header'],
    ['a prototype key', b64('{"__proto__":{"x402Version":2,"payload":{}}}'), 'malformed_payment_header'],
    ['too large', 'A'.repeat(MAX_PAYMENT_HEADER + 1), 'payment_header_too_large'],
    ['an empty object', b64('{}'), 'invalid_payload'],
    ['version 3', encodeHeader({ ...v2, x402Version: 3 }), 'invalid_x402_version'],
    ['version as text', encodeHeader({ ...v2, x402Version: '2' }), 'invalid_x402_version'],
    ['another scheme', encodeHeader({ ...v1, scheme: 'upto' }), 'invalid_scheme'],
    ['accepted null', encodeHeader({ ...v2, accepted: null }), 'invalid_payload'],
    ['payload missing', encodeHeader({ ...v2, payload: undefined }), 'invalid_payload'],
    ['signature missing', encodeHeader(withPayload({ signature: undefined })), 'invalid_payload'],
    ['signature of odd length', encodeHeader(withPayload({ signature: '0xabc' })), 'invalid_payload'],
    ['signature an array', encodeHeader(withPayload({ signature: [signed.signature] })), 'invalid_payload'],
    ['value as number', encodeHeader(withAuthorization({ value: 1000 })), 'invalid_payload'],
    ['value in hex', encodeHeader(withAuthorization({ value: '0x3e8' })), 'invalid_payload'],
    ['value negative', encodeHeader(withAuthorization({ value: '-1000' })), 'invalid_payload'],
    ['value with an exponent', encodeHeader(withAuthorization({ value: '1e3' })), 'invalid_payload'],
    ['nonce too short', encodeHeader(withAuthorization({ nonce: '0x12' })), 'invalid_payload'],
    ['from no address', encodeHeader(withAuthorization({ from: 'vitalik.eth' })), 'invalid_payload'],
    ['validBefore missing', encodeHeader(withAuthorization({ validBefore: undefined })), 'invalid_payload'],
    [
      'a payment id of the wrong form',
      encodeHeader({ ...v2, extensions: { 'payment-identifier': { info: { id: 7 } } } }),
      'invalid_payment_identifier',
    ],
  ])('%s is refused', (_, header, reason) => {
    expect(parse({ xPayment: header })).toEqual({ ok: false, reason });
    expect(parse({ paymentSignature: header })).toEqual({ ok: false, reason });
  });

  it('a signature has at most 4,096 bytes, as some contract wallets need', () => {
    const withBytes = (bytes: number): string =>
      encodeHeader(v1Payload({ ...signed, signature: `0x${'ab'.repeat(bytes)}` }));
    expect(parsed(withBytes(4_096)).signed.signature).toHaveLength(2 + 2 * 4_096);
    expect(parse({ xPayment: withBytes(4_097) })).toEqual({ ok: false, reason: 'invalid_payload' });
    expect(parse({ xPayment: withBytes(0) })).toEqual({ ok: false, reason: 'invalid_payload' });
  });

  it('different payments in the two headers are refused', async () => {
    const other = await signAuthorization(account, seller);
    const input = { xPayment: encodeHeader(v1Payload(other)), paymentSignature: encodeHeader(v2) };
    expect(parse(input)).toEqual({ ok: false, reason: 'conflicting_payment_headers' });
    expect(parse({ ...input, xPayment: 'rubbish!' })).toEqual({
      ok: false,
      reason: 'malformed_payment_header',
    });
  });

  it('never throws, whatever the header', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.base64String(), fc.json().map(b64), fc.jsonValue().map(encodeHeader)),
        (header) => {
          const result = parse({ xPayment: header });
          expect(result.ok).toBe(false);
        },
      ),
    );
  });
});

describe('a payment whose payload comes first, as official clients write it', () => {
  const challenge = {
    extensions: { bazaar: { info: { input: { type: 'http' } } } },
    resource: { url: `${seller.baseUrl}/v1/funding/current` },
    accepted: (v2 as { accepted: object }).accepted,
  };
  const text = (more: object = {}): string =>
    JSON.stringify({ x402Version: 2, payload: signed, ...challenge, ...more });
  const read = (json: string) => parse({ xPayment: Buffer.from(json).toString('base64') });
  /** The same values, in a form that is read in one piece. */
  const readWhole = (json: string) => read(` ${json}`);

  it.each([
    ['nothing unusual', text()],
    [
      'a payment identifier',
      text({ extensions: { 'payment-identifier': { info: { id: 'a'.repeat(16) } } } }),
    ],
    ['the payload named again', `${text().slice(0, -1)},"payload":{}}`],
    ['the payload named again under an escape', `${text().slice(0, -1)},"\\u0070ayload":{}}`],
    ['the version named again', `${text().slice(0, -1)},"x402Version":7}`],
    ['a prototype key', `${text().slice(0, -1)},"__proto__":{"resource":{"url":"x"}}}`],
    ['levels without end', text({ extensions: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) })],
    ['a bracket too many', `${text()}}`],
    ['a comma too many', `${text().slice(0, -1)},}`],
    ['nothing after the payload', `{"x402Version":2,"payload":${JSON.stringify(signed)}}`],
    ['only a comma after the payload', `{"x402Version":2,"payload":${JSON.stringify(signed)},}`],
    ['a brace within a text of the payload', text({ payload: { ...signed, note: '},{' } })],
    ['terms of the first generation', text({ accepted: undefined, scheme: 'exact', network: 'base' })],
  ])('with %s, means the same, the first time and again', (_, json) => {
    const whole = readWhole(json);
    expect(read(json)).toEqual(whole);
    expect(read(json)).toEqual(whole);
  });

  it('means the same after any small change of its text', () => {
    const change = fc.record({
      at: fc.nat(text().length),
      length: fc.nat(3),
      put: fc.constantFrom('', '{', '}', '"', ',', '\\', ':', '[', '0', '{}', '","payload":{},"', 'é'),
    });
    fc.assert(
      fc.property(change, ({ at, length, put }) => {
        const json = text().slice(0, at) + put + text().slice(at + length);
        const whole = readWhole(json);
        expect(read(json)).toEqual(whole);
        expect(read(json)).toEqual(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('is read with its own payload, whatever was cached', async () => {
    const other = await signAuthorization(newAccount(), seller);
    const first = read(text());
    const second = read(text({ payload: other }));
    expect(first).toMatchObject({
      ok: true,
      value: { signed: { signature: signed.signature.toLowerCase() } },
    });
    expect(second).toMatchObject({
      ok: true,
      value: { signed: { signature: other.signature.toLowerCase() } },
    });
  });
});
