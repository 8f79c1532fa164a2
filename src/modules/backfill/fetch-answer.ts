import type { SendRequest } from '../../collect/background-request.ts';
import type { BackgroundThrottle } from '../../collect/background-throttle.ts';
import { type Decoded, rowCount } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isFault } from '../../domain/reject.ts';
import type { UnixMs } from '../../domain/units.ts';
import { sleep, type Timer } from '../../runtime/timer.ts';
import type { VenueAdapter, VenueRequest } from '../../venues/adapter.ts';
import { pageBound } from '../../venues/answer-bound.ts';
import type { BackfillEndpoint, BackfillKind } from '../../venues/backfill-endpoint.ts';
import type { MissingSpan } from './gaps.ts';

export interface BackfillSources {
  readonly adapter: VenueAdapter;
  readonly instruments: () => ReadonlyMap<string, Instrument>;
  readonly send: SendRequest;
  readonly throttle: BackgroundThrottle;
  /** True if others wait for this contract to go first, or none is left to wait for. */
  readonly isUrgent: () => boolean;
  /** Its place in the queue of the venue's budget. */
  readonly priority: number;
  readonly timer: Timer;
  readonly signal: AbortSignal;
}

/** Points fetched from one endpoint. */
export interface FetchedKind {
  readonly kind: BackfillKind;
  readonly answers: readonly Decoded[];
  readonly requests: number;
  /**
   * `whole`: all that was asked for came, or the venue has it not. `gaps`: the venue answered, and its answers lack
   * something. `failed`: an answer was missing or an error.
   */
  readonly state: 'whole' | 'gaps' | 'failed';
  readonly missing: readonly MissingSpan[];
}

export const TRIES = 3;
const FIRST_PAUSE_MS = 1000;

/** A decoded answer, and how many rows the venue states that there are in all, where it does. */
export interface DecodedAnswer {
  readonly decoded: Decoded;
  readonly total: number | undefined;
}

/** False where the venue answered with an error, or with what nothing can be read of; an empty list is an answer. */
export const isReadable = (answer: Decoded): boolean =>
  rowCount(answer) > 0 || !answer.rejects.some((reject) => reject.symbol === null && isFault(reject));

export const pointsOf = ({ funding, history }: Decoded): readonly { readonly time: UnixMs }[] => [
  ...funding,
  ...history,
];

/** The answer without points whose times came before: pages move and spans overlap. Notes the others. */
export function withoutSeen(answer: Decoded, seen: Set<number>): Decoded {
  const isNew = ({ time }: { readonly time: UnixMs }): boolean => !seen.has(time);
  const fresh = { ...answer, funding: answer.funding.filter(isNew), history: answer.history.filter(isNew) };
  for (const { time } of pointsOf(fresh)) seen.add(time);
  return fresh;
}

/** Asks until an answer can be read; the last one counts as it is. Undefined where none comes. */
export async function fetchAnswer(
  { adapter, instruments, send, throttle, isUrgent, priority, timer, signal }: BackfillSources,
  endpoint: BackfillEndpoint,
  request: VenueRequest,
  tries: number,
): Promise<DecodedAnswer | undefined> {
  const { call, pool, weight, totalOf } = endpoint;
  const maxBytes = pageBound(endpoint);
  const terms = {
    priority,
    maxBytes,
    ...(pool !== undefined && { pool }),
    ...(weight !== undefined && { weight }),
  };
  const cost = { budget: adapter.budget, pool: pool ?? 'default', weight: weight ?? 1 };
  for (let i = 1; i <= tries && !signal.aborted; i++) {
    await throttle.acquire(cost, isUrgent, signal);
    if (signal.aborted) return undefined;
    const outcome = await send(adapter.id, request, terms);
    if (outcome.ok) {
      const { payload, receivedAt } = outcome.value;
      const decoded = call.decode(payload, { instruments: instruments(), request, receivedAt });
      if (isReadable(decoded) || i === tries) return { decoded, total: totalOf?.(payload) };
    }
    if (i < tries) await sleep(timer, FIRST_PAUSE_MS * 4 ** (i - 1), signal);
  }
  return undefined;
}
