import type { AnswerCall } from '../api/call.ts';
import type { Route } from '../api/route.ts';

/** Money that a server pays with on its own; amounts in USD as decimal text. */
export interface Budget {
  readonly per_call_usd: string;
  readonly total_usd: string;
  /** Paid, and what may have been paid. */
  readonly spent_usd: string;
}

/** What the tools are made of and whom they ask. */
export interface McpBackend {
  readonly name: string;
  readonly version: string;
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly data: 'live' | 'simulated';
  /** The routes of the service that are served. */
  readonly routes: readonly Route[];
  /** Price of an answer now, decimal text; undefined: free. */
  readonly priceOf: (route: Route) => string | undefined;
  readonly call: AnswerCall;
  /** Present where this server pays by itself: then no call asks its client for money. */
  readonly budget?: () => Budget;
}
