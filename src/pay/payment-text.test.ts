import { describe, expect, it, vi } from 'vitest';
import { readPaymentText } from './payment-text.ts';

const AROUND = {
  resource: { url: 'https://example.org/v1/a' },
  accepted: { scheme: 'batch-settlement', network: 'eip155:8453', extra: { name: 'USDC', version: '2' } },
};
const header = (payload: unknown): string =>
  Buffer.from(JSON.stringify({ x402Version: 2, payload, ...AROUND })).toString('base64');
const voucherOf = (total: string) => ({
  type: 'voucher',
  channelConfig: { payer: `0x${'11'.repeat(20)}`, withdrawDelay: 900 },
  voucher: {
    channelId: `0x${'22'.repeat(32)}`,
    maxClaimableAmount: total,
    signature: `0x${'33'.repeat(65)}`,
  },
});

describe('the text of a payment', () => {
  it.each([
    ['one object in the payload', { signature: '0x1', authorization: { nonce: '0x2' } }],
    ['two objects in the payload', voucherOf('1')],
    ['braces in a text', { type: '}{', a: { b: '{' }, c: {} }],
    ['objects within objects', { deposit: { authorization: { signature: '0x' } } }],
  ])('%s: read as it is', (_, payload) => {
    expect(readPaymentText(header(payload))).toMatchObject({
      payload,
      around: { version: 2, terms: { scheme: 'batch-settlement' }, resourceUrl: AROUND.resource.url },
    });
  });

  it('vouchers on one challenge: only their payloads are parsed', () => {
    readPaymentText(header(voucherOf('1')));
    const parse = vi.spyOn(JSON, 'parse');
    const read = readPaymentText(header(voucherOf('2')));
    const texts = parse.mock.calls.map(([text]) => text);
    parse.mockRestore();
    expect(read?.payload).toEqual(voucherOf('2'));
    expect(texts).toEqual([JSON.stringify(voucherOf('2'))]);
  });
});
