/** The one table of error codes that leave this service; `type` in a problem document is `/errors/<code>`. */
export const ERRORS = {
  unknown_parameter: { status: 400, title: 'Unknown query parameter' },
  invalid_parameter: { status: 400, title: 'Invalid parameter' },
  missing_parameter: { status: 400, title: 'Required parameter missing' },
  canonical_id_contradicts_ticker: { status: 400, title: 'canonical_id does not belong to this ticker' },
  unknown_route: { status: 404, title: 'No such path' },
  unknown_venue: { status: 404, title: 'Unknown venue' },
  unknown_ticker: { status: 404, title: 'Unknown ticker' },
  not_listed: { status: 404, title: 'The venue does not list this ticker' },
  no_data: { status: 404, title: 'No data for this request' },
  single_venue: { status: 404, title: 'Only one venue has this ticker' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  ambiguous_ticker: { status: 409, title: 'The ticker names more than one asset' },
  payment_in_flight: { status: 409, title: 'This payment is being processed' },
  payment_id_conflict: { status: 409, title: 'This payment id was used for another request' },
  malformed_request: { status: 400, title: 'Not a readable HTTP request' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  header_too_large: { status: 431, title: 'Header too large' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  not_ready: { status: 503, title: 'No fresh data at the moment' },
  shutting_down: { status: 503, title: 'The service is shutting down' },
  facilitator_unavailable: { status: 503, title: 'The payment facilitator cannot be reached' },
  settlement_unknown: { status: 503, title: 'The settlement is not yet known' },
  answer_store_full: { status: 503, title: 'The store of undelivered answers is full' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}

export interface Candidate {
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly venues: readonly string[];
}

/** An error as a value. `detail` says what to do. */
export interface Failure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly ParameterError[];
  readonly candidates?: readonly Candidate[];
  readonly retryAfterSeconds?: number;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (error: Failure): { readonly ok: false; readonly error: Failure } => ({
  ok: false,
  error,
});
