import type { ErrorText } from './error-text.ts';
import { PAYMENT_ERRORS } from './payment-errors.ts';

/** Codes of problem documents: every error but a challenge. */
export const PROBLEM_ERRORS = {
  unknown_parameter: {
    status: 400,
    title: 'Unknown query parameter',
    cause: 'The query has a parameter that this path does not take.',
    remedy:
      'Leave it out, or use the name that errors suggests; /openapi.json lists the parameters of every path.',
    charged: false,
  },
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    cause: 'A parameter has a value outside its type, range or list.',
    remedy: 'Correct the parameters that errors names.',
    charged: false,
  },
  missing_parameter: {
    status: 400,
    title: 'Required parameter missing',
    cause: 'A required parameter is not in the request.',
    remedy: 'Add the parameters that errors names.',
    charged: false,
  },
  canonical_id_contradicts_ticker: {
    status: 400,
    title: 'canonical_id does not belong to this ticker',
    cause: 'ticker and canonical_id name different assets.',
    remedy: 'Send one of them, or a canonical_id that belongs to the ticker.',
    charged: false,
  },
  unknown_route: {
    status: 404,
    title: 'No such path',
    cause: 'No path of this service is exactly this one: case, slashes and encoding count.',
    remedy: 'Take the path from /openapi.json.',
    charged: false,
  },
  unknown_venue: {
    status: 404,
    title: 'Unknown venue',
    cause: 'The venue is not one that this service tracks.',
    remedy: 'Take a name from /v1/venues/list.',
    charged: false,
  },
  unknown_ticker: {
    status: 404,
    title: 'Unknown ticker',
    cause: 'No tracked venue lists an asset under this ticker.',
    remedy:
      'Check the spelling: tickers such as BTC and canonical ids are taken, and symbols of a venue where the venue is given.',
    charged: false,
  },
  not_listed: {
    status: 404,
    title: 'The venue does not list this ticker',
    cause: 'The venue lists no live perpetual future of this asset.',
    remedy: 'Ask another venue, or a path that answers across venues.',
    charged: false,
  },
  no_data: {
    status: 404,
    title: 'No data for this request',
    cause: 'The request is understood, and nothing usable is known for it.',
    remedy: 'Ask for another window, contract or asset, or come back later.',
    charged: false,
  },
  single_venue: {
    status: 404,
    title: 'Only one venue has this ticker',
    cause: 'Only one venue has usable data of this asset, and a comparison takes two.',
    remedy: 'Ask for the asset on that venue, or come back later.',
    charged: false,
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    cause: 'The path answers GET, HEAD and OPTIONS only.',
    remedy: 'Repeat the request as GET.',
    charged: false,
  },
  ambiguous_ticker: {
    status: 409,
    title: 'The ticker names more than one asset',
    cause: 'Several assets share this ticker.',
    remedy: 'Repeat the request with a canonical_id of candidates, as canonical_id or as ticker.',
    charged: false,
  },
  payment_in_flight: {
    status: 409,
    title: 'This payment is being processed',
    cause: 'An earlier request with the same payment is still being worked on.',
    remedy: 'Repeat the same request with the same payment in a moment. Do not sign another one.',
    charged: null,
  },
  identifier_used: {
    status: 409,
    title: 'This payment identifier was used for another request',
    cause:
      'The payer has bought another request under this payment identifier (payment-identifier or Idempotency-Key) within 24 hours, or is buying it.',
    remedy: 'Repeat that request, or buy this one under another payment identifier.',
    charged: false,
  },
  already_paid: {
    status: 409,
    title: 'This purchase was paid for already',
    cause:
      'The payer has paid for this request under this payment identifier within 24 hours, and its answer, which is kept for ten minutes, is no longer there. transaction and paid_at name that payment.',
    remedy: 'To buy the answer of now, send another payment identifier, or none.',
    charged: false,
  },
  malformed_request: {
    status: 400,
    title: 'Not a readable HTTP request',
    cause: 'The bytes received are not an HTTP/1.1 request.',
    remedy: 'Check the client, or the proxy before it.',
    charged: false,
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    cause: 'The head of the request did not arrive in time.',
    remedy: 'Repeat the request on a new connection.',
    charged: false,
  },
  header_too_large: {
    status: 431,
    title: 'Header too large',
    cause: 'All headers of the request together are over 32 KiB.',
    remedy: 'Send fewer or shorter headers.',
    charged: false,
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause:
      'Too many free requests, too many payments that were not good, or too many at once that only the chain can judge, came from this address or payer; detail says which.',
    remedy: 'Wait for as many seconds as Retry-After says.',
    charged: false,
  },
  too_many_connections: {
    status: 503,
    title: 'Too many connections',
    cause: 'The client address, or all clients together, have as many connections open as the service keeps.',
    remedy: 'Use connections again (keep-alive), close idle ones, and come back after a second.',
    charged: false,
  },
  internal: {
    status: 500,
    title: 'Internal error',
    cause: 'The service failed. Its operator finds the reason in the log.',
    remedy: 'Repeat the request, with the same payment where it had one.',
    charged: false,
  },
  not_ready: {
    status: 503,
    title: 'No fresh data at the moment',
    cause: 'The data is older than it may be, not there yet, or was too slow to make.',
    remedy:
      'Repeat the request after as many seconds as Retry-After says, with the same payment where it had one.',
    charged: false,
  },
  stream_full: {
    status: 503,
    title: 'All places of the stream are taken',
    cause: 'As many readers as the service takes have the stream open.',
    remedy: 'Come back after as many seconds as Retry-After says, or poll the path that the stream is of.',
    charged: false,
  },
  shutting_down: {
    status: 503,
    title: 'The service is shutting down',
    cause: 'The service is restarting and takes no more payments.',
    remedy: 'Repeat the request after as many seconds as Retry-After says, with the same payment.',
    charged: false,
  },
  facilitator_unavailable: {
    status: 503,
    title: 'The payment facilitator cannot be reached',
    cause: 'Who verifies and settles payments cannot be reached, or turned the payment away unread.',
    remedy: 'Repeat the request after as many seconds as Retry-After says, with the same payment.',
    charged: false,
  },
  settlement_unknown: {
    status: 503,
    title: 'The settlement is not yet known',
    cause: 'The payment was submitted, and it is not yet known whether the money moved.',
    remedy:
      'Repeat the same request with the same payment: it is answered when the settlement is found. Do not sign another one.',
    charged: null,
  },
  ledger_unavailable: {
    status: 503,
    title: 'The ledger of payments does not answer',
    cause: 'The store that payments are written to cannot be reached: this request moves no money.',
    remedy:
      'Repeat the same request after as many seconds as Retry-After says, with the same payment. Do not sign another one.',
    charged: false,
  },
  answer_store_full: {
    status: 503,
    title: 'The store of undelivered answers is full',
    cause: 'The store of answers that are paid for and not yet delivered, or the disk under it, is full.',
    remedy: 'Repeat the request after as many seconds as Retry-After says, with the same payment.',
    charged: false,
  },
} as const satisfies Readonly<Record<string, ErrorText>>;

/**
 * The one table of error codes that leave this service; `type` in a problem document is `/errors/<code>`,
 * where the rest can be read. No error is charged: null stands for a payment that is still on its way.
 */
export const ERRORS = { ...PROBLEM_ERRORS, ...PAYMENT_ERRORS };

/** Codes of problem documents; a challenge has those of {@link PAYMENT_ERRORS}. */
export type ErrorCode = keyof typeof PROBLEM_ERRORS;

export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}

export interface Candidate {
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly venues: readonly string[];
}

/** A payment that was settled by an earlier request. */
export interface EarlierPayment {
  /** Hash of its transaction; null where nobody named one. */
  readonly transaction: string | null;
  /** When it was found settled, ISO 8601; null where that was not noted. */
  readonly paid_at: string | null;
}

/**
 * One change towards a request that is understood: of a parameter, which gets another name, another value, or
 * goes where it gets neither; or of each value that was typed so.
 */
export type Correction =
  | { readonly parameter: string; readonly name?: string; readonly value?: string }
  | { readonly typed: string; readonly value: string };

/** An error as a value. `detail` says what to do. */
export interface Failure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly ParameterError[];
  /** Changes that, made together, may lead to a request that is served. */
  readonly corrections?: readonly Correction[];
  /** Path and query of the nearest request that is served. */
  readonly instead?: string;
  readonly candidates?: readonly Candidate[];
  /** The earlier payment that the failure is about. */
  readonly paid?: EarlierPayment;
  readonly retryAfterSeconds?: number;
}

/** 400 of one parameter whose value is not taken; `message` says what it must be. */
export const badParameter = (parameter: string, message: string): Failure => ({
  code: 'invalid_parameter',
  detail: `${parameter}: ${message}`,
  errors: [{ parameter, message }],
});

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (error: Failure): { readonly ok: false; readonly error: Failure } => ({
  ok: false,
  error,
});
