import { isIP } from 'node:net';

/** True if an address is public: https, and not a name of a machine or network of one's own. */
export function isPublicHttps(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  const isNamed = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && hostname.includes('.');
  return protocol === 'https:' && isNamed && !/\.(?:localhost|local|internal|lan|home\.arpa)$/.test(hostname);
}

/** Lets pages of any site read what is answered: nothing in it is of the page's user. */
export const ANY_ORIGIN = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'Mcp-Session-Id, Mcp-Protocol-Version, Retry-After'],
] as const;

/** Headers of a page's preflight request. */
export const PREFLIGHT = [
  ...ANY_ORIGIN,
  ['Access-Control-Allow-Methods', 'POST, GET, OPTIONS'],
  [
    'Access-Control-Allow-Headers',
    'Content-Type, Accept, Authorization, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID',
  ],
  ['Access-Control-Max-Age', '86400'],
] as const;
