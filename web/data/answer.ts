import type { Challenge, Receipt } from '../../packages/client/src/index.ts';

/** The state of one read. `ready` keeps its body while later tries fail; `trouble` says why they did. */
export type Answer<Body> =
  | { readonly state: 'loading' }
  | Ready<Body>
  | Unpaid
  | Failed
  | Offline
  | { readonly state: 'locked' };

/** Calls that are for sale, each with what it costs. */
export interface Unpaid {
  readonly state: 'unpaid';
  readonly calls: readonly UnpaidCall[];
}

export interface UnpaidCall {
  readonly path: string;
  readonly challenge: Challenge | undefined;
}

/** The price of some calls together, atomic units. */
export const priceOf = (calls: readonly UnpaidCall[]): bigint =>
  calls.reduce((sum, { challenge }) => sum + BigInt(challenge?.accepts[0]?.amount ?? 0), 0n);

/** The next try of a read that failed and is made again by itself. */
interface Again {
  /** Its time, ms by the service's clock. */
  readonly retryAt?: number;
}

export interface Offline extends Again {
  readonly state: 'offline';
}

export interface Failed extends Again {
  readonly state: 'failed';
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly candidates: readonly { readonly canonical_id: string; readonly venues: readonly string[] }[];
  /** The time that the service asked for before the next try, ms; undefined where it named none. */
  readonly retryAfterMs?: number;
}

/** A failure with a cause that may pass. */
export type Trouble = Failed | Offline;

export interface Ready<Body> {
  readonly state: 'ready';
  readonly body: Body;
  /** When it was read, by the service's clock. */
  readonly at: number;
  /** Time of the oldest value in it. */
  readonly asOf: string | null;
  /** True if it was paid for, and stays as it is. */
  readonly bought: boolean;
  readonly purchase?: Purchase;
  /** The failure of the last try, which would have renewed it. */
  readonly trouble?: Trouble;
  /** Set where it takes several calls, of which not all are there. */
  readonly part?: Part;
}

export interface Purchase {
  /** The calls that were bought, with all that came by the same payments. */
  readonly paths: readonly string[];
  /** When the first of them is no longer kept, ms. */
  readonly expiresAt: number;
  /** By the path that was paid for; of one that named none, undefined. */
  readonly receipts: ReadonlyMap<string, Receipt | undefined>;
}

export interface Part {
  /** Calls that were read. */
  readonly read: number;
  /** Calls that there are. */
  readonly of: number;
  /** The failure of the others; undefined while they are on their way. */
  readonly trouble?: Trouble;
}

const TOO_MANY = 429;
const NOT_FOUND = 404;

/** True for what may pass by itself: no connection, an answer that cannot be read, a limit, a fault of the service. */
export const mayPass = (answer: Pick<Answer<unknown>, 'state'>): answer is Trouble => {
  if (answer.state === 'offline') return true;
  const { status } = answer as Failed;
  return answer.state === 'failed' && (status === 0 || status === TOO_MANY || status >= 500);
};

/** The failure in an answer, also of a part of it. */
export function troubleOf(answer: Answer<unknown>): Trouble | undefined {
  if (mayPass(answer)) return answer;
  return answer.state === 'ready' ? answer.part?.trouble : undefined;
}

/** The next state after a try: what was read as a whole stays while tries fail. */
export function merged<Body>(before: Answer<Body>, next: Answer<Body>): Answer<Body> {
  const trouble = troubleOf(next);
  if (before.state !== 'ready' || trouble === undefined) return next;
  return before.part !== undefined && next.state === 'ready' ? next : { ...before, trouble };
}

const isMissing = (answer: Answer<unknown>): boolean =>
  answer.state === 'failed' && answer.status === NOT_FOUND;

/**
 * Several answers that are shown together: those that are there, and how many are not, with the reason. A price is shown
 * when all are known, so that nobody pays for a part; a call without data is left out, unless all are.
 */
export function together<Body>(answers: readonly Answer<Body>[]): Answer<readonly Body[]> {
  const isComing = answers.some(({ state }) => state === 'loading');
  const unpaid = answers.filter((answer) => answer.state === 'unpaid');
  if (unpaid.length > 0) {
    return isComing ? { state: 'loading' } : { state: 'unpaid', calls: unpaid.flatMap(({ calls }) => calls) };
  }
  const ready = answers.filter((answer) => answer.state === 'ready');
  const others = answers.filter((answer) => answer.state !== 'ready' && answer.state !== 'loading');
  const hindrance = others.find((answer) => !isMissing(answer));
  const [first] = ready;
  if (first === undefined)
    return isComing ? { state: 'loading' } : (hindrance ?? others[0] ?? { state: 'loading' });
  if (hindrance?.state === 'locked') return hindrance;
  return { ...oldestOf(ready), body: ready.map(({ body }) => body), ...partOf(answers, hindrance) };
}

/** The same as a whole: while a part of it is on its way, nothing is there, as where rows would push others down. */
export const whole = <Body>(answer: Answer<Body>): Answer<Body> =>
  answer.state === 'ready' && answer.part !== undefined && answer.part.trouble === undefined
    ? { state: 'loading' }
    : answer;

/** The oldest times of all, and trouble where one of them has it. */
function oldestOf(ready: readonly Ready<unknown>[]): Omit<Ready<unknown>, 'body'> {
  const asOf = ready.flatMap((answer) => answer.asOf ?? []).sort()[0] ?? null;
  const trouble = ready.find((answer) => answer.trouble !== undefined)?.trouble;
  return {
    state: 'ready',
    at: Math.min(...ready.map(({ at }) => at)),
    asOf,
    bought: ready.every(({ bought }) => bought),
    ...(trouble !== undefined && { trouble }),
    ...purchaseOf(ready),
  };
}

function purchaseOf(ready: readonly Ready<unknown>[]): Pick<Ready<unknown>, 'purchase'> {
  const purchases = ready.flatMap(({ purchase }) => purchase ?? []);
  if (purchases.length === 0) return {};
  const expiresAt = Math.min(...purchases.map((purchase) => purchase.expiresAt));
  const paths = [...new Set(purchases.flatMap((purchase) => purchase.paths))];
  const receipts = new Map(purchases.flatMap((purchase) => [...purchase.receipts]));
  return { purchase: { paths, expiresAt, receipts } };
}

function partOf(
  answers: readonly Answer<unknown>[],
  hindrance: Answer<unknown> | undefined,
): { readonly part?: Part } {
  const wanted = answers.filter((answer) => !isMissing(answer));
  const read = wanted.filter(({ state }) => state === 'ready').length;
  if (read === wanted.length) return {};
  const trouble = hindrance?.state === 'failed' || hindrance?.state === 'offline' ? hindrance : undefined;
  return { part: { read, of: wanted.length, ...(trouble !== undefined && { trouble }) } };
}
