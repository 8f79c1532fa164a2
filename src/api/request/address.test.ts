import { describe, expect, it } from 'vitest';
import { clientAddress, readTrustProxy, type TrustProxy } from './address.ts';

function trust(text: string): TrustProxy {
  const read = readTrustProxy(text);
  if (read === undefined) throw new Error(`not readable: ${text}`);
  return read;
}

describe('readTrustProxy', () => {
  it.each([undefined, '', 'false', '0'])('%j trusts nobody', (text) => {
    expect(readTrustProxy(text)).toEqual({ kind: 'none' });
  });

  it('reads hops and networks, and refuses what is neither', () => {
    expect(readTrustProxy('true')).toEqual({ kind: 'hops', hops: 1 });
    expect(readTrustProxy('2')).toEqual({ kind: 'hops', hops: 2 });
    expect(readTrustProxy('loopback, 10.1.0.0/16, 2001:db8::1')?.kind).toBe('networks');
    for (const text of ['yes', '10.0.0.0/40', '10.0.0', 'loopback,,', '-1'])
      expect(readTrustProxy(text)).toBeUndefined();
  });
});

describe('an IPv6 client', () => {
  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1:2:3:4', '2001:db8:0:0::/64'],
    ['1::2:3:4:5:6.7.8.9', '1:0:2:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('at %s counts as %s', (address, network) => {
    expect(clientAddress(address, undefined, trust(''))).toBe(network);
  });
});

describe('clientAddress', () => {
  const forwarded = '6.6.6.6, 203.0.113.7, 10.1.2.3';

  it.each([
    ['', '10.9.9.9', forwarded, '10.9.9.9'],
    ['1', '10.9.9.9', forwarded, '10.1.2.3'],
    ['2', '10.9.9.9', forwarded, '203.0.113.7'],
    ['9', '10.9.9.9', forwarded, '6.6.6.6'],
    ['1', '10.9.9.9', undefined, '10.9.9.9'],
    ['1', '10.9.9.9', 'garbage', '10.9.9.9'],
    ['2', '10.9.9.9', '1.2.3.4, <script>, 10.1.2.3', '10.1.2.3'],
    ['10.0.0.0/8', '10.9.9.9', forwarded, '203.0.113.7'],
    ['10.0.0.0/8', '198.51.100.1', forwarded, '198.51.100.1'],
    ['loopback', '::ffff:127.0.0.1', '2001:db8::7', '2001:db8:0:0::/64'],
    ['', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['private', '192.168.1.1', '::ffff:172.16.0.9, fd00::1', '172.16.0.9'],
  ])('TRUST_PROXY=%s, connection from %s, X-Forwarded-For %s: %s', (setting, socket, header, expected) => {
    expect(clientAddress(socket, header, trust(setting))).toBe(expected);
  });
});
