/** `/operator/state`, as far as the page shows it. */
export interface OperatorState {
  readonly at: string;
  readonly version: string;
  readonly node: string;
  readonly process: {
    readonly uptime_seconds: number;
    readonly rss_bytes: number;
    readonly heap_bytes: number;
    readonly event_loop_lag_seconds: number;
    readonly event_loop_active_seconds: number;
    readonly cpu_seconds: number;
  };
  readonly overload: { readonly level: number; readonly reason?: string };
  readonly disks: readonly {
    readonly folder: string;
    readonly free_bytes: number | null;
    readonly size_bytes: number | null;
  }[];
  readonly http: {
    readonly open: number;
    readonly kept: { readonly answers: number; readonly bytes: number };
  };
  readonly venues: readonly OperatorVenue[];
  readonly budgets: readonly Budget[];
  readonly identities: Readonly<Record<string, number>>;
  readonly history: OperatorHistory | null;
}

export interface OperatorVenue {
  readonly venue: string;
  readonly status: 'live' | 'stale' | 'down';
  readonly last_update_at: string | null;
  readonly rejects_5m: number;
  readonly rejects: Readonly<Record<string, number>>;
  readonly last_error: string | null;
  readonly circuits: number;
  readonly sample: RejectSample | null;
  readonly feeds: readonly Feed[];
}

/** A payload that a decoder found a fault in, cut short. */
export interface RejectSample {
  readonly at: string;
  readonly source: string;
  readonly symbol: string | null;
  readonly reason: string;
  readonly detail: string | null;
  readonly payload: string;
}

export interface Feed {
  readonly kind: 'poll' | 'stream';
  readonly name: string;
  readonly quotes: number;
  readonly rejects: number;
  readonly last_data_at: string | null;
  readonly every_seconds?: number;
  readonly rounds?: number;
  readonly good_rounds?: number;
  readonly failures?: number;
  readonly open?: number;
  readonly connections?: number;
  readonly topics?: number;
  readonly reconnects?: number;
}

export interface Budget {
  readonly venue: string;
  readonly pool: string;
  readonly limit: number;
  readonly per_seconds: number;
  readonly used: number;
  readonly waiting: number;
  readonly waited_seconds: number;
}

export interface OperatorHistory {
  readonly ok: boolean;
  readonly lag_seconds: number | null;
  readonly mode: string;
  readonly reason: string | null;
  readonly waiting_rows: number;
  readonly written_rows: number;
  readonly lost_rows: number;
  readonly refused_rows: number;
  readonly skipped_samples: number;
  readonly backfill: { readonly contracts: number; readonly done: number } | null;
}

/** `/operator/payments`. */
export interface OperatorPayments {
  readonly allows_actions: boolean;
  readonly mode: string;
  readonly facilitator_ok: boolean | null;
  readonly settlement_proof: string | null;
  readonly ledger: string | null;
  readonly ledger_ok: boolean | null;
  /** Answers that named a price, requests with a payment, and of these: found good, settled. */
  readonly challenged: number;
  readonly presented: number;
  readonly verified: number;
  readonly settled: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly closed: Readonly<Record<string, number>>;
  readonly facilitators: readonly Facilitator[];
  readonly margins: readonly { readonly route: string; readonly usd: number }[];
  readonly chain: {
    readonly compared_to: string;
    readonly differences: Readonly<Record<string, number>>;
  } | null;
  readonly answer_bytes: number | null;
  readonly open: readonly OpenPayment[];
  readonly earnings: readonly Earning[];
  readonly complete: boolean;
}

export interface Facilitator {
  readonly name: string;
  /** True if it last answered sensibly; null before the first answer. */
  readonly ok: boolean | null;
  /** True while its circuit breaker is open. */
  readonly resting: boolean;
}

export interface OpenPayment {
  readonly claimed_at: string;
  readonly state: string;
  readonly route_id: string;
  readonly usd: string;
  readonly payer: string;
  readonly nonce: string;
  readonly transaction: string | null;
  readonly reason: string | null;
  readonly attempts: number;
  readonly next_look_at: string | null;
}

export interface Earning {
  readonly day: string;
  readonly route: string;
  readonly payments: number;
  readonly usd: string;
  /** The margin after the settlements' cost. */
  readonly margin_usd: number;
}

/** `/operator/identities`. */
export interface OperatorIdentities {
  readonly allows_actions: boolean;
  readonly total: number;
  readonly contracts: readonly Contract[];
  readonly decisions: readonly Decision[];
}

export interface Contract {
  readonly canonical_id: string;
  readonly ticker: string;
  readonly venue: string;
  readonly symbol: string;
  readonly basis: string;
  readonly valid_from: string;
}

export interface Decision {
  readonly sequence: number;
  readonly at: string;
  readonly action: string;
  readonly reason: string;
  readonly from: string;
  readonly to: string;
  readonly contracts: readonly string[];
}

/** `/operator/log`. */
export interface OperatorLog {
  /** Newest first; JSON of pino. */
  readonly lines: readonly string[];
  readonly audit: readonly AuditEntry[];
}

export interface AuditEntry {
  readonly at: string;
  readonly request: string;
  readonly action: string;
  readonly detail: string;
  readonly reason: string;
  readonly refused?: string;
  readonly contracts?: number;
  readonly decision?: number;
  readonly found?: string;
}
