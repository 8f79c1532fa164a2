import { isIP } from 'node:net';
import { forbiddenReason, isLoopback } from './forbidden-address.ts';

/** A place that deliveries go to; only {@link readReceiver} makes one. */
export interface Receiver {
  /** As it is kept and read again. */
  readonly url: string;
  /** `https://hooks.example.com:8443`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** Name or address, without brackets. */
  readonly host: string;
  /** True if it is this host by an explicit setting, so that its address is not judged. */
  readonly isLoopback: boolean;
}

/** The operator's terms for receivers. */
export interface ReceiverRules {
  /** Allows this host, over http as well and at any port: for demos and tests. */
  readonly allowLoopback: boolean;
  /** Ports that are allowed elsewhere; default 443 and 8443. */
  readonly ports?: ReadonlySet<number>;
}

export type ReadReceiver =
  | { readonly ok: true; readonly receiver: Receiver }
  /** `reason` is a phrase that follows the name of the parameter. */
  | { readonly ok: false; readonly reason: string };

const LONGEST_URL = 2048;
const LONGEST_NAME = 253;
const HTTPS_PORT = 443;
const PORTS: ReadonlySet<number> = new Set([HTTPS_PORT, 8443]);
/** Last labels of names that no public name has, with what resolvers of offices and clouds give to them. */
const LOCAL_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|onion|home\.arpa)$/;

const refused = (reason: string): ReadReceiver => ({ ok: false, reason });

/**
 * Reads the address of a receiver. An address of IPv4 in any spelling that browsers take (`0x7f.1`, `2130706433`) is judged as
 * the address that it is. Names are judged again, by the addresses that they have, at each delivery.
 */
export function readReceiver(text: string, rules: ReceiverRules): ReadReceiver {
  if (text.length > LONGEST_URL) return refused(`must have at most ${LONGEST_URL} characters`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return refused('must be a URL such as https://hooks.example.com/perpmeter');
  const receiver = receiverOf(url, rules);
  const reason = receiver.isLoopback ? schemeFault(url, ['https:', 'http:']) : urlFault(url, receiver, rules);
  return reason === undefined ? { ok: true, receiver } : refused(reason);
}

function receiverOf(url: URL, { allowLoopback }: ReceiverRules): Receiver {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  url.hash = '';
  return {
    url: url.href,
    origin: url.origin,
    path: url.pathname + url.search,
    host,
    isLoopback: allowLoopback && (host === 'localhost' || isLoopback(host)),
  };
}

function schemeFault(url: URL, schemes: readonly string[]): string | undefined {
  if (!schemes.includes(url.protocol)) return `must begin with ${schemes.join('// or ')}//`;
  return url.username === '' && url.password === '' ? undefined : 'must have no user name or password';
}

function urlFault(url: URL, { host }: Receiver, { ports = PORTS }: ReceiverRules): string | undefined {
  const fault = schemeFault(url, ['https:']);
  if (fault !== undefined) return fault;
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (!ports.has(port)) return `must have the port ${[...ports].join(' or ')}`;
  if (isIP(host) === 0) return nameFault(host);
  const forbidden = forbiddenReason(host);
  return forbidden === undefined ? undefined : `must not be an address that is ${forbidden}`;
}

function nameFault(name: string): string | undefined {
  const labels = name.split('.');
  if (name.length > LONGEST_NAME || labels.length < 2 || labels.includes(''))
    return 'must have a whole public name such as hooks.example.com, without a dot at its end';
  return LOCAL_NAMES.test(name) ? 'must not be a name of a local network' : undefined;
}
