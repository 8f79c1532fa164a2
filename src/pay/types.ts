import type { Failure, Result } from '../domain/errors.ts';

/** A complete answer, held as bytes until it may leave; names of headers in lower case. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The body compressed, where it is kept. */
  readonly gzip?: () => Promise<Buffer>;
}

/** An answer of the paywall. */
export interface PaywallReply extends HttpReply {
  /** Headers of this payment alone, beside those of the answer. */
  readonly receipts?: Readonly<Record<string, string>>;
  /**
   * Present on an answer that was paid for: to be called once when the response has ended, with true when all
   * of it was handed to the connection. An answer that never arrived stays redeemable.
   */
  readonly sent?: (complete: boolean) => void;
}

/** A parameter in the contract's shape of `outputSchema.input.queryParams`. */
export interface ParameterSpec {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly description: string;
  readonly required: boolean;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  /** A value that works, for the discovery extension; needed on required parameters without an enum. */
  readonly example?: string | number | boolean;
}

/** The part of a thing for sale that the paywall uses; it has no market data. */
export interface ProtectedRoute {
  /** Stable name, also in the price list and the ledger: `funding-current`. */
  readonly id: string;
  /** Path template as in the contract: `/v1/orderbook/{venue}/{symbol}/top`. */
  readonly path: string;
  /** Distinct, factual, at most 500 characters. */
  readonly description: string;
  readonly tags: readonly string[];
  readonly queryParams: Readonly<Record<string, ParameterSpec>>;
  readonly pathParams?: Readonly<Record<string, ParameterSpec>>;
  /** Short example answer for challenges; the catalog may carry a longer one. */
  readonly example: unknown;
  /** Longer example for the catalog. */
  readonly catalogExample?: unknown;
  /** ISO 8601: when description, parameters or example last changed. */
  readonly revisedAt?: string;
}

/** The parts of an HTTP request that a payment is about. */
export interface PaymentInput {
  readonly method: string;
  /** Path and query in canonical form (sorted parameters): what the payment is bound to. */
  readonly resource: string;
  readonly xPayment?: string | undefined;
  readonly paymentSignature?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Client address, for limits. */
  readonly address: string;
}

/** The making of a paid answer. `check` is cheap and comes before verify; `produce` makes the held answer. */
export interface Work {
  readonly check: () => Failure | undefined;
  readonly produce: () => Result<HttpReply> | Promise<Result<HttpReply>>;
}

export interface Paywall {
  /** True where nothing is charged (mode `off`): every request goes to `pay`, `challenge` is never asked. */
  readonly free: boolean;
  /**
   * The pre-encoded 402 of a route. `reason` is put into the body's `error` and into the header's; `path` is the
   * concrete path of the request, for routes with path parameters.
   */
  challenge(route: ProtectedRoute, reason?: string, path?: string): HttpReply;
  /** Takes a request that carries a payment to its answer. Never rejects. */
  pay(route: ProtectedRoute, input: PaymentInput, work: Work): Promise<PaywallReply>;
}

/** Renders a failure as the service's problem document. Given to the paywall by `api`. */
export type RenderProblem = (failure: Failure) => HttpReply;
