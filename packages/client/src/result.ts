import type { DATE_FIELDS, ERRORS } from './route-facts.ts';

/** An ISO 8601 time in UTC where it came as text, a `Date` where those were asked for. */
export type Dated<T> = T extends readonly unknown[]
  ? { readonly [I in keyof T]: Dated<T[I]> }
  : T extends object
    ? {
        readonly [K in keyof T]: K extends (typeof DATE_FIELDS)[number]
          ? Extract<T[K], null | undefined> | Date
          : Dated<T[K]>;
      }
    : T;

/** `T`, with its times as `Date` where `D` is true. */
export type As<D extends boolean, T> = D extends true ? Dated<T> : T;

/** Options of one call beside its parameters. */
export interface CallOptions {
  /**
   * Ends the call. A payment that was signed and sent by then stays counted, and is presented again by the next
   * equal call.
   */
  readonly signal?: AbortSignal | undefined;
  /** `exact` pays this call by a payment of its own, beside what a channel pays at the same time. */
  readonly scheme?: 'exact' | undefined;
  /** Most that this call may cost, USD as decimal text; below the cap of the wallet. */
  readonly maxUsd?: string | undefined;
  /**
   * Your own name of this purchase, 16 to 128 characters of `A-Z a-z 0-9 _ -`: the service charges once for it in
   * 24 hours, also where another process signs anew. Default: a random one for each payment.
   */
  readonly paymentId?: string | undefined;
  /** Secret of what is read, as its purchase gave it: of a watch. */
  readonly secret?: string | undefined;
}

/** The service's statement about a settled payment. */
export interface Receipt {
  readonly success: boolean;
  readonly transaction: string;
  /** CAIP-2. */
  readonly network: string;
  readonly payer: string;
  readonly [extension: string]: unknown;
}

/** A response as it came. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** An answer with where it comes from. */
export interface Answer<T, D extends boolean = false> {
  readonly ok: true;
  readonly data: T;
  /** Time of the oldest value in it; undefined for documents. */
  readonly asOf: (D extends true ? Date : string) | undefined;
  /** Venues behind it, and those that could not be used. */
  readonly sources: { readonly used: readonly string[]; readonly missing: readonly string[] };
  /** Of what was paid for. */
  readonly receipt: Receipt | undefined;
  readonly reply: Reply;
}

interface Said {
  /** The failure, and its remedy. */
  readonly detail: string;
  /** As the seller asks; whole seconds. */
  readonly retryAfterSeconds?: number;
  /** The response behind it, where one came. */
  readonly reply?: Reply;
}

/** Adds to codes of the service what only they say. */
interface Extras {
  readonly unknown_parameter: WithErrors;
  readonly invalid_parameter: WithErrors;
  readonly missing_parameter: WithErrors;
  readonly ambiguous_ticker: { readonly candidates: readonly Candidate[] };
  readonly already_paid: EarlierPayment;
}

/** Fields that the service may add to any of its problems. */
interface Advised {
  /** Path and query of the nearest request that is served, where one is known. */
  readonly instead?: string;
}

interface EarlierPayment {
  /** Hash of the transaction that paid; null where none was named. */
  readonly transaction: string | null;
  /** When it was found settled, ISO 8601; null where that was not noted. */
  readonly paid_at: string | null;
}

interface WithErrors {
  readonly errors: readonly { readonly parameter: string; readonly message: string }[];
}

interface Candidate {
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly venues: readonly string[];
}

type ServiceCode = keyof typeof ERRORS;

/** A problem document of the service. `charged` is null while it is not known. */
export type ServiceProblem = {
  [C in ServiceCode]: Said &
    Advised & { readonly code: C } & (typeof ERRORS)[C] &
    (C extends keyof Extras ? Extras[C] : unknown);
}[ServiceCode];

/** The money of an attempt: false = not spent, null = not known, so that it counts as spent. */
export type Charged = false | null;

/** Reasons of the client itself for having no answer. */
export type ClientProblem = Said &
  (
    | { readonly code: 'payment_required'; readonly charged: false }
    | {
        readonly code: 'over_budget';
        readonly charged: false;
        readonly cap: 'call' | 'hour' | 'day' | 'total';
        readonly priceUsd: string;
        readonly leftUsd: string;
      }
    | {
        readonly code: 'not_allowed';
        readonly charged: false;
        readonly term: 'network' | 'asset' | 'receiver';
      }
    /** The 402 asks for something else than the catalog says, or the catalog cannot be read. */
    | { readonly code: 'not_as_listed'; readonly charged: false }
    | { readonly code: 'unreadable_challenge'; readonly charged: false }
    | { readonly code: 'not_signed'; readonly charged: false; readonly cause: unknown }
    /** The seller did not take the payment; `reason` is its word. */
    | { readonly code: 'payment_refused'; readonly charged: Charged; readonly reason: string }
    | { readonly code: 'outcome_unknown'; readonly charged: null; readonly cause?: unknown }
    | { readonly code: 'unreachable'; readonly charged: false; readonly cause: unknown }
    | { readonly code: 'aborted'; readonly charged: Charged }
    | { readonly code: 'redirected'; readonly charged: Charged }
    /** A minute of a stream takes more paid minutes than may be bought. */
    | { readonly code: 'too_few_minutes'; readonly charged: false }
    /** A newer reader of the same stream has taken the place of this one. */
    | { readonly code: 'stream_replaced'; readonly charged: false }
    /** Not an answer of this interface: of a proxy, or of a later version. */
    | { readonly code: 'unreadable'; readonly charged: Charged }
  );

/** The reason for having no answer, distinguished by `code`. */
export type Problem = ServiceProblem | ClientProblem;

export interface Failed {
  readonly ok: false;
  readonly problem: Problem;
}

export type Result<T, D extends boolean = false> = Answer<T, D> | Failed;

export const failed = (problem: Problem): Failed => ({ ok: false, problem });

/** A problem as an exception. */
export class PerpmeterError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`, 'cause' in problem ? { cause: problem.cause } : undefined);
    this.name = 'PerpmeterError';
    this.problem = problem;
  }
}

/** The data of a result. @throws PerpmeterError */
export async function dataOf<T>(result: PromiseLike<Result<T, boolean>> | Result<T, boolean>): Promise<T> {
  const settled = await result;
  if (!settled.ok) throw new PerpmeterError(settled.problem);
  return settled.data;
}
