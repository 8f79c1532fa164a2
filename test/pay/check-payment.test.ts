import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { checkTerms } from '../../src/pay/check-payment.ts';
import { windowFault } from '../../src/pay/schemes/authorization-window.ts';
import { routeOf } from './routes.ts';
import { exact, parsed, routes, seller, signed, v1, v2, withAuthorization } from './signed-payment.ts';
import { encodeHeader, type SignedAuthorization, v1Payload } from './wallet.ts';

describe('terms', () => {
  const route = routeOf(routes, 'orderbook-top');
  const reason = async (header: string, amounts: readonly bigint[] = [1000n]) => {
    const checked = await checkTerms(exact, parsed(header), route, amounts);
    return checked.ok ? undefined : checked.reason;
  };
  const other = '0x1111111111111111111111111111111111111111';
  const accepted = (change: object): string =>
    encodeHeader({ ...v2, accepted: { ...(v2 as { accepted: object }).accepted, ...change } });

  it.each([
    ['another network', accepted({ network: 'eip155:1' }), 'invalid_network'],
    ['another network in v1', encodeHeader({ ...v1, network: 'base-sepolia' }), 'invalid_network'],
    ['another asset', accepted({ asset: other }), 'invalid_asset'],
    ['another receiver in the terms', accepted({ payTo: other }), 'invalid_recipient'],
    [
      'another receiver in the authorization',
      encodeHeader(withAuthorization({ to: other })),
      'invalid_recipient',
    ],
    ['one unit less', encodeHeader(withAuthorization({ value: '999' })), 'invalid_amount'],
    ['one unit more', encodeHeader(withAuthorization({ value: '1001' })), 'invalid_amount'],
    ['a lowered amount in the terms', accepted({ amount: '999' }), 'invalid_amount'],
    ['another timeout', accepted({ maxTimeoutSeconds: 600 }), 'invalid_timeout'],
    [
      'another route',
      encodeHeader({ ...v2, resource: { url: `${seller.baseUrl}/v1/backtest/data` } }),
      'invalid_resource',
    ],
    [
      'a traversing resource',
      encodeHeader({ ...v2, resource: { url: `${seller.baseUrl}/v1/orderbook/a/..%2Fc/top` } }),
      'invalid_resource',
    ],
  ])('%s is refused', async (_, header, expected) => {
    expect(await reason(header)).toBe(expected);
  });

  it('any case of an address, the route by template, the price before', async () => {
    expect(
      await reason(
        accepted({
          asset: seller.asset.toLowerCase(),
          payTo: seller.payTo.toUpperCase().replace('0X', '0x'),
        }),
      ),
    ).toBeUndefined();
    expect(
      await reason(
        encodeHeader({ ...v2, resource: { url: `${seller.baseUrl}/v1/orderbook/binance/BTC/top?a=1` } }),
      ),
    ).toBeUndefined();
    expect(
      await reason(
        encodeHeader({ ...v2, resource: { url: `${seller.baseUrl}/v1/orderbook/hibachi/BTC%2FUSDT-P/top` } }),
      ),
    ).toBeUndefined();
    expect(
      await reason(encodeHeader({ ...v2, resource: { url: `${seller.baseUrl}${route.path}` } })),
    ).toBeUndefined();
    expect(await reason(encodeHeader(v2), [1250n, 1000n])).toBeUndefined();
    expect(await reason(encodeHeader(v2), [1250n])).toBe('invalid_amount');
  });
});

describe('the window', () => {
  const NOW = 1_800_000_000;
  const at = (validAfter: number, validBefore: number): SignedAuthorization => ({
    ...signed,
    authorization: {
      ...signed.authorization,
      validAfter: String(validAfter),
      validBefore: String(validBefore),
    },
  });
  const reason = (after: number, before: number, ms = 0) =>
    windowFault(
      parsed(encodeHeader(v1Payload(at(after, before)))).signed.authorization,
      asMs(NOW * 1000 + ms),
    );

  it('has limits to the second', () => {
    expect(reason(NOW, NOW + 60)).toBeUndefined();
    expect(reason(NOW + 1, NOW + 60)).toBe('authorization_not_yet_valid');
    expect(reason(0, NOW + 6)).toBeUndefined();
    expect(reason(0, NOW + 6, 999)).toBeUndefined();
    expect(reason(0, NOW + 5)).toBe('authorization_expired');
    expect(reason(0, NOW + 660)).toBeUndefined();
    expect(reason(0, NOW + 661)).toBe('authorization_too_long');
  });

  it('accepts validAfter <= now and now + 6 <= validBefore <= now + 660', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -700, max: 700 }),
        fc.integer({ min: -700, max: 1400 }),
        (after, before) => {
          const good = after <= 0 && before >= 6 && before <= 660;
          expect(reason(NOW + after, NOW + before) === undefined).toBe(good);
        },
      ),
    );
  });
});
