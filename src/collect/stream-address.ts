import type { Stream } from '../venues/adapter.ts';
import { failed, type Outcome } from './transport-failure.ts';
import type { Answer } from './venue-caller.ts';

function siteOf(host: string): string {
  return /^[\d.]+$/.test(host) || host.includes(':') ? host : host.split('.').slice(-2).join('.');
}

/** Whether an address named by a payload stays with the venue: WebSocket, at one of its hosts or their sites. */
function isOfVenue(address: string, bases: Readonly<Record<string, string>>): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'ws:' && url.protocol !== 'wss:')) return false;
  return Object.values(bases).some((base) => {
    return URL.canParse(base) && siteOf(new URL(base).hostname) === siteOf(url.hostname);
  });
}

/**
 * Where a stream connects to: its base and path, or what its handshake answers. An address outside the venue's
 * own sites is refused, whoever wrote it into the answer.
 */
export async function streamAddress(
  stream: Pick<Stream, 'base' | 'path' | 'handshake'>,
  bases: Readonly<Record<string, string>>,
  call: () => Promise<Outcome<Answer>>,
): Promise<Outcome<string>> {
  const base = bases[stream.base];
  if (stream.handshake === undefined) {
    return base === undefined
      ? failed('refused', `the venue has no base named ${stream.base}`)
      : { ok: true, value: base + stream.path };
  }
  const answer = await call();
  if (!answer.ok) return answer;
  const address = stream.handshake.address(answer.value.payload);
  if (address === undefined) return failed('not_json', 'the handshake names no address');
  if (!isOfVenue(address, bases))
    return failed('refused', 'the handshake names an address outside the venue');
  return { ok: true, value: address };
}
