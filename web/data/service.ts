import { type Answer, useAnswer } from './answers.ts';

/** `/v1/health`, as far as the page shows it. */
export interface Health {
  readonly status: 'ok' | 'degraded';
  readonly data: 'live' | 'simulated';
  readonly version: string;
  readonly started_at: string;
  readonly uptime_seconds: number;
  readonly venues: { readonly live: number; readonly stale: number; readonly down: number };
  readonly rows: number;
  readonly event_loop_lag_seconds: number | null;
  readonly overload: {
    readonly level: number;
    readonly shed: readonly string[];
    readonly reason: string | null;
  } | null;
  readonly store: {
    readonly ok: boolean | null;
    readonly lag_seconds: number | null;
    readonly mode: string | null;
    readonly reason: string | null;
    readonly waiting_rows: number | null;
    readonly lost_rows: number | null;
    readonly backfill_pct: number | null;
  };
  readonly payments: {
    readonly mode: 'remote' | 'self' | 'sandbox' | 'off';
    readonly facilitator_ok: boolean | null;
    readonly settlement_proof: string | null;
  };
}

/** An entry of `/v1/venues/list`. */
export interface Venue {
  readonly source_id: number;
  readonly name: string;
  readonly display_name: string;
  readonly type: 'cex' | 'dex';
  readonly tracked_symbols: number;
  readonly funding_intervals: readonly number[];
  readonly taker_fee_bps: number | null;
  readonly has_index: boolean;
}

/** An entry of `/v1/venues/health`. */
export interface VenueHealth {
  readonly source_id: number;
  readonly venue: string;
  readonly type: 'cex' | 'dex';
  readonly status: 'live' | 'stale' | 'down';
  readonly last_update_at: string | null;
  readonly age_seconds: number | null;
  readonly tracked_symbols: number;
  readonly fresh_symbols: number;
  readonly books: number;
  readonly rejects_5m: number;
  /** Since the service started. */
  readonly rejects_by_reason: Readonly<Record<string, number>>;
  readonly settled_contracts: number | null;
  readonly settled_contracts_30d: number | null;
  readonly error_rate_5m: number | null;
  readonly last_error: string | null;
  readonly since: string | null;
}

/** A parameter of a route, by OpenAPI. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly description: string;
  readonly example?: unknown;
  readonly schema: {
    readonly type?: string | readonly string[];
    readonly enum?: readonly (string | number)[];
    readonly default?: unknown;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly format?: string;
  };
}

export interface RouteEntry {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  /** In US dollars as the price list writes it; undefined = free. */
  readonly usd: string | undefined;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly 'x-payment-info'?: { readonly price: { readonly amount: string } };
}

interface OpenApi {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}

export const useHealth = (everyMs = 5000): Answer<Health> => useAnswer<Health>('/v1/health', everyMs);
export const useVenues = (): Answer<readonly Venue[]> =>
  useAnswer<readonly Venue[]>('/v1/venues/list', 60_000);
export const useVenueHealth = (everyMs = 5000): Answer<readonly VenueHealth[]> =>
  useAnswer<readonly VenueHealth[]>('/v1/venues/health', everyMs);

/** The route table, as its OpenAPI document says it. */
export function useRoutes(): Answer<readonly RouteEntry[]> {
  const document = useAnswer<OpenApi>('/openapi.json');
  if (document.state !== 'ready') return document;
  return { ...document, body: routesOf(document.body) };
}

function routesOf({ paths }: OpenApi): readonly RouteEntry[] {
  return Object.entries(paths).map(([path, { get }]) => ({
    id: get.operationId,
    path,
    summary: get.summary,
    description: get.description,
    tags: get.tags,
    parameters: get.parameters ?? [],
    usd: get['x-payment-info']?.price.amount,
  }));
}
