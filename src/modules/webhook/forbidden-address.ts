import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Nets by the reason for which nothing is sent there; most are IANA's special-purpose addresses. */
const NETS = {
  unspecified: ['0.0.0.0/8', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  'shared with a carrier (CGNAT)': ['100.64.0.0/10'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  'site-local': ['fec0::/10'],
  'unique local': ['fc00::/7'],
  // Azure answers its virtual machines at this address, which is public by its number.
  'metadata of a cloud': ['168.63.129.16/32'],
  'for protocols': ['192.0.0.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '2001::/23'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  benchmarking: ['198.18.0.0/15'],
  // An address of IPv4 within one of IPv6 would reach what the nets of IPv4 keep away.
  'IPv4 within IPv6': ['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'],
  '6to4': ['192.88.99.0/24', '2002::/16'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: ['240.0.0.0/4', '100::/64', '5f00::/16'],
} as const;

type Family = 'ipv4' | 'ipv6';

function familyOf(address: string): Family | undefined {
  if (isIPv4(address)) return 'ipv4';
  return isIPv6(address) ? 'ipv6' : undefined;
}

/** The nets of one family: a list of both would take every address of IPv4 for one that is mapped into IPv6. */
function listOf(nets: readonly string[], family: Family): BlockList {
  const list = new BlockList();
  for (const net of nets) {
    const [start = '', bits] = net.split('/');
    if (familyOf(start) === family) list.addSubnet(start, Number(bits), family);
  }
  return list;
}

const bothOf = (nets: readonly string[]): Readonly<Record<Family, BlockList>> => ({
  ipv4: listOf(nets, 'ipv4'),
  ipv6: listOf(nets, 'ipv6'),
});

const FORBIDDEN = Object.entries(NETS).map(([reason, nets]) => ({ reason, lists: bothOf(nets) }));
const LOOPBACK = bothOf(NETS.loopback);
/** All that IANA has given out for single hosts of the public network. */
const GLOBAL = bothOf(['0.0.0.0/0', '2000::/3']);
const NOT_GLOBAL = 'not of the public network';

/**
 * The reason for which nothing is sent to an address; undefined for one of the public network.
 *
 * @param address of IPv4 or IPv6 as a resolver writes it; all else is forbidden, as one with a zone (`%eth0`)
 */
export function forbiddenReason(address: string): string | undefined {
  const family = familyOf(address);
  if (family === undefined || address.includes('%')) return NOT_GLOBAL;
  const found = FORBIDDEN.find(({ lists }) => lists[family].check(address, family));
  if (found !== undefined) return found.reason;
  return GLOBAL[family].check(address, family) ? undefined : NOT_GLOBAL;
}

/** True of an address that leads to this host alone. */
export function isLoopback(address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && LOOPBACK[family].check(address, family);
}
