import { describe, expect, it } from 'vitest';
import { forbiddenReason, isLoopback } from './forbidden-address.ts';

describe('addresses that nothing is sent to', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['::', 'unspecified'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'shared with a carrier (CGNAT)'],
    ['100.100.100.200', 'shared with a carrier (CGNAT)'],
    ['169.254.169.254', 'link-local'],
    ['169.254.170.2', 'link-local'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'unique local'],
    ['fd20:ce::254', 'unique local'],
    ['168.63.129.16', 'metadata of a cloud'],
    ['192.0.0.192', 'for protocols'],
    ['2001::1', 'for protocols'],
    ['2001:20::1', 'for protocols'],
    ['192.0.2.1', 'documentation'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.9', 'documentation'],
    ['2001:db8::1', 'documentation'],
    ['3fff::1', 'documentation'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['::127.0.0.1', 'IPv4 within IPv6'],
    ['::7f00:1', 'IPv4 within IPv6'],
    ['::ffff:127.0.0.1', 'IPv4 within IPv6'],
    ['::ffff:a9fe:a9fe', 'IPv4 within IPv6'],
    ['::ffff:8.8.8.8', 'IPv4 within IPv6'],
    ['::ffff:0:7f00:1', 'IPv4 within IPv6'],
    ['64:ff9b::7f00:1', 'IPv4 within IPv6'],
    ['64:ff9b::10.0.0.1', 'IPv4 within IPv6'],
    ['64:ff9b:1::1', 'IPv4 within IPv6'],
    ['192.88.99.1', '6to4'],
    ['2002:7f00:1::1', '6to4'],
    ['2002:a00:1::', '6to4'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.250', 'multicast'],
    ['ff02::1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['100::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['4000::1', 'not of the public network'],
    ['fe80::1%eth0', 'not of the public network'],
    ['2606:4700::1111%1', 'not of the public network'],
    ['0x7f.1', 'not of the public network'],
    ['2130706433', 'not of the public network'],
    ['0177.0.0.1', 'not of the public network'],
    ['127.1', 'not of the public network'],
    ['localhost', 'not of the public network'],
    ['', 'not of the public network'],
  ])('%s: %s', (address, reason) => {
    expect(forbiddenReason(address)).toBe(reason);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '198.17.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:200::1',
    '2003::1',
  ])('%s: allowed', (address) => {
    expect(forbiddenReason(address)).toBeUndefined();
  });

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', false],
    ['10.0.0.1', false],
    ['localhost', false],
  ])('%s: loopback is %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });
});
