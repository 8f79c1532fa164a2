import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Client } from 'undici';
import { ResponseReceiver } from '../../collect/response-receiver.ts';
import { type FailureKind, TransportFailure } from '../../collect/transport-failure.ts';
import { systemTimer, type Timer, unlessAborted } from '../../runtime/timer.ts';
import { forbiddenReason } from './forbidden-address.ts';
import type { Receiver } from './receiver.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';

/** A message as it goes out. */
export interface Outgoing {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer, its body cut off at 4 KiB; or why there is none. `forbidden` = no connection was tried. */
export type Posted =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
    }
  | {
      readonly ok: false;
      readonly kind: FailureKind | 'forbidden' | 'unresolved';
      /** A phrase for the buyer, without addresses. */
      readonly reason: string;
    };

export interface OutboundOptions {
  readonly resolve?: ResolveHost;
  /** The reason for which an address is forbidden; default {@link forbiddenReason}. */
  readonly judge?: (address: string) => string | undefined;
  /** This host's addresses, which are forbidden, too: they lead to what listens here for its operator. */
  readonly own?: () => readonly string[];
  readonly timer?: Timer;
  /** Certificates of authorities beside those of Node.js, PEM. */
  readonly ca?: string;
}

/** Time for a whole delivery: name, connection, answer. */
export const DEADLINE_MS = 10_000;
const ANSWER_BYTES = 4096;
const HEAD_BYTES = 8192;
/** More addresses of one name are judged, and not tried. */
const MOST_TRIED = 4;
/** Undici's own limits lie behind the deadline: they free what nobody waits for any more. */
const SPARE_MS = 1000;

type Found = { readonly ok: true; readonly addresses: readonly string[] } | (Posted & { readonly ok: false });

/** Posts to receivers that buyers name. */
export class Outbound {
  readonly #resolve: ResolveHost;
  readonly #judge: (address: string) => string | undefined;
  readonly #own: () => readonly string[];
  readonly #timer: Timer;
  readonly #ca: string | undefined;

  constructor({ resolve, judge, own, timer, ca }: OutboundOptions = {}) {
    this.#resolve = resolve ?? resolveHost;
    this.#judge = judge ?? forbiddenReason;
    this.#own = own ?? ownAddresses;
    this.#timer = timer ?? systemTimer;
    this.#ca = ca;
  }

  /**
   * Posts once. The name is resolved once, every address that it has must be allowed, and the connection goes to these
   * addresses: a second look-up cannot lead it elsewhere. No redirect is followed, and no connection is kept.
   * Never rejects.
   */
  async post(receiver: Receiver, message: Outgoing, stop: AbortSignal): Promise<Posted> {
    const late = new AbortController();
    const cancel = this.#timer(DEADLINE_MS, () => late.abort());
    const ended = AbortSignal.any([stop, late.signal]);
    try {
      const found = await unlessAborted(this.#find(receiver), ended);
      if (found?.ok === false) return found;
      if (found === undefined || ended.aborted) return endedBy(stop);
      return await this.#send(receiver, found.addresses, message, ended, stop);
    } finally {
      cancel();
    }
  }

  async #find({ host, isLoopback }: Receiver): Promise<Found> {
    if (isLoopback) return { ok: true, addresses: host === 'localhost' ? ['127.0.0.1', '::1'] : [host] };
    let addresses: readonly string[];
    try {
      addresses = isIP(host) === 0 ? await this.#resolve(host) : [host];
    } catch {
      return { ok: false, kind: 'unresolved', reason: 'the name of the receiver cannot be resolved' };
    }
    if (addresses.length === 0)
      return { ok: false, kind: 'unresolved', reason: 'the name of the receiver has no address' };
    const own = new Set(this.#own());
    const faultOf = (address: string): string | undefined =>
      this.#judge(address) ?? (own.has(address) ? "the service's own" : undefined);
    const forbidden = addresses.map(faultOf).find((reason) => reason !== undefined);
    if (forbidden === undefined) return { ok: true, addresses: addresses.slice(0, MOST_TRIED) };
    return { ok: false, kind: 'forbidden', reason: `the receiver has an address that is ${forbidden}` };
  }

  async #send(
    { origin, path }: Receiver,
    addresses: readonly string[],
    { headers, body }: Outgoing,
    ended: AbortSignal,
    stop: AbortSignal,
  ): Promise<Posted> {
    const limits = { headersTimeout: DEADLINE_MS + SPARE_MS, bodyTimeout: DEADLINE_MS + SPARE_MS };
    const connect = { lookup: pinned(addresses), timeout: DEADLINE_MS, ...(this.#ca && { ca: this.#ca }) };
    const client = new Client(origin, {
      connect,
      autoSelectFamily: true,
      maxHeaderSize: HEAD_BYTES,
      ...limits,
    });
    const answer = new ResponseReceiver(ANSWER_BYTES, { isHeadEnough: true });
    const end = (): void => {
      const { kind, reason } = endedBy(stop);
      answer.stop(new TransportFailure(kind, reason));
    };
    ended.addEventListener('abort', end, { once: true });
    try {
      client.dispatch({ method: 'POST', path, headers: { ...headers }, body, reset: true }, answer);
      const outcome = await answer.finished;
      if (outcome.ok) return { ok: true, ...outcome.value };
      return { ok: false, kind: outcome.failure.kind, reason: outcome.failure.reason };
    } finally {
      ended.removeEventListener('abort', end);
      await client.destroy();
    }
  }
}

function endedBy(stop: AbortSignal): { ok: false; kind: 'aborted' | 'timeout'; reason: string } {
  if (stop.aborted) return { ok: false, kind: 'aborted', reason: 'the service stopped' };
  return { ok: false, kind: 'timeout', reason: `no answer within ${DEADLINE_MS / 1000} s` };
}

/** Names nothing but these addresses, whatever is asked for. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all: wantsAll }, done) => {
    const [first] = all;
    if (wantsAll || first === undefined) done(null, all);
    else done(null, first.address, first.family);
  };
}

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
