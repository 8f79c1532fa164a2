import { BlockList, isIP } from 'node:net';

/**
 * Sources of a client's address that are believed: nobody, the last n proxies, or proxies of these networks.
 */
export type TrustProxy =
  | { readonly kind: 'none' }
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'networks'; readonly networks: BlockList };

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fe80::/10'];
const NAMED: Readonly<Record<string, readonly string[]>> = { loopback: LOOPBACK, private: PRIVATE };

/** An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) counts as the IPv4 address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

function addNetwork(networks: BlockList, text: string): boolean {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  if (family === 0) return false;
  const longest = family === 6 ? 128 : 32;
  const prefix = bits === undefined ? longest : Number(bits);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > longest) return false;
  networks.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  return true;
}

/**
 * Reads the setting TRUST_PROXY: empty or `false` = nobody, `true` = one proxy, a number = that many proxies,
 * else a comma-separated list of addresses, networks (CIDR), `loopback` and `private`. Undefined when the text is
 * none of these.
 */
export function readTrustProxy(text: string | undefined): TrustProxy | undefined {
  const value = (text ?? '').trim().toLowerCase();
  if (value === '' || value === 'false' || value === '0') return { kind: 'none' };
  if (value === 'true') return { kind: 'hops', hops: 1 };
  if (/^\d{1,2}$/.test(value)) return { kind: 'hops', hops: Number(value) };
  const networks = new BlockList();
  const parts = value.split(',').flatMap((part) => NAMED[part.trim()] ?? [part.trim()]);
  return parts.every((part) => addNetwork(networks, part)) ? { kind: 'networks', networks } : undefined;
}

function isTrusted(networks: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** The network of an IPv6 address: its first 64 bits. Any other address as it is. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const groups = address
    .replace(/%.*$/, '')
    .replace(/:[\d.]+\.\d+$/, ':0:0')
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const [before = [], after = []] = groups;
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const network = [...before, ...zeros, ...after].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/**
 * The client that a connection is counted to, of IPv6 its network of 64 bits; undefined where the connection is that of a
 * trusted proxy.
 */
export function connectionClient(socket: string, trust: TrustProxy): string | undefined {
  const peer = plain(socket);
  if (trust.kind === 'hops') return undefined;
  return trust.kind === 'networks' && isTrusted(trust.networks, peer) ? undefined : networkOf(peer);
}

/**
 * The client's address: the socket's, unless proxies are trusted; then the entry of X-Forwarded-For that the
 * last trusted proxy saw. Entries further left are the client's own words and are not believed. Limits go by it, so of
 * IPv6 it is the network of 64 bits: one host has at least so much, and could come from another address every time.
 */
export function clientAddress(
  socket: string | undefined,
  forwarded: string | undefined,
  trust: TrustProxy,
): string {
  const peer = plain(socket ?? '');
  if (trust.kind === 'none' || forwarded === undefined) return networkOf(peer);
  const chain = [
    peer,
    ...forwarded
      .split(',')
      .map((part) => plain(part.trim()))
      .reverse(),
  ];
  let client = 0;
  while (client + 1 < chain.length && isIP(chain[client + 1] ?? '') !== 0) {
    const here = chain[client] ?? '';
    if (trust.kind === 'hops' ? client >= trust.hops : !isTrusted(trust.networks, here)) break;
    client++;
  }
  return networkOf(chain[client] ?? peer);
}
