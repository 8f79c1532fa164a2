import type { Call } from '../../api/call.ts';
import type { Route } from '../../api/route.ts';
import type { RouteTable } from '../../host/route-table.ts';
import type { PaywallReply } from '../../pay/types.ts';

/** Money that a server pays with on its own; amounts in USD as decimal text. */
export interface Budget {
  readonly per_call_usd: string;
  readonly total_usd: string;
  /** Paid, and what may have been paid. */
  readonly spent_usd: string;
}

/** A GET, and what a server that pays by itself has to know of it. */
export interface ToolCall extends Call {
  /**
   * Aborted when the client no longer waits. A payment that was signed by then is presented again by the next
   * equal call.
   */
  readonly signal: AbortSignal;
  /** The price that was quoted to the client; undefined: free. */
  readonly quotedUsd?: string | undefined;
}

/** The sources of the tools, and the service that they call. */
export interface McpBackend {
  readonly name: string;
  readonly version: string;
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly data: 'live' | 'simulated';
  /** The routes of the service that are served. */
  readonly routes: readonly Route[];
  readonly toolPlaces: RouteTable['toolPlaces'];
  /** Price of an answer now, decimal text; undefined: free. */
  readonly priceOf: (route: Route) => string | undefined;
  readonly call: (call: ToolCall) => Promise<PaywallReply>;
  /** Asks without a payment, whatever the server pays for; absent where `call` pays nothing by itself. */
  readonly askUnpaid?: (call: ToolCall) => Promise<PaywallReply>;
  /** Reads the prices again where they may be old; never rejects. Absent where they are always those in force. */
  readonly refresh?: () => Promise<void>;
  /**
   * The reason for which the service has not been reached yet; `refresh` tries again. Then prices are not
   * known, and all routes are listed.
   */
  readonly away?: () => string | undefined;
  /** Present where this server pays by itself: then no call asks its client for money. */
  readonly budget?: () => Budget;
}
