/** Kinds of failures of a store. */
export type StoreFaultKind =
  /** Nobody answers, or the connection broke: the same again may succeed. */
  | 'unavailable'
  /** No room on the disk, or too little memory for now. */
  | 'no_space'
  /** More work is waiting than may wait. */
  | 'busy'
  /** The statement or its data are wrong; the same again fails again. */
  | 'refused';

export interface StoreFault {
  readonly kind: StoreFaultKind;
  readonly message: string;
}

export type StoreResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: StoreFault };

export type Cells = readonly unknown[];

/** A query with named parameters: `{canonical_id:String}` in the text, its value in `params`. */
export interface Query {
  readonly sql: string;
  readonly params: Readonly<Record<string, string | number | readonly string[]>>;
}

/** Rows as tab-separated lines, in the order of `columns`: encoded once, where they are made. */
export interface Rows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly lines: readonly string[];
  /** Rows that are sent again under the same name are stored once; without one, rows of the same content. */
  readonly token?: string;
}

/**
 * The role of the caller. Each role has connections of its own, so that none waits for another; `control` is of
 * the embedded engine alone.
 */
export type ConnectionRole = 'read' | 'write' | 'maintain' | 'control';

/** The places of rows: a folder of this process, one server, or the nodes of a cluster. */
export const STORE_ENGINES = ['embedded', 'server', 'cluster'] as const;
export type StoreEngine = (typeof STORE_ENGINES)[number];

/**
 * The time-series engine: the same SQL whether it is embedded, a server or a cluster. Nothing here throws.
 */
export interface HistoryStore {
  readonly engine: StoreEngine;
  /** Rows of a query, cell by cell. Times are asked for as numbers. */
  select(query: Query, role?: ConnectionRole): Promise<StoreResult<readonly Cells[]>>;
  /** Writes rows all or none (within a partition), safe on disk when it resolves. */
  insert(rows: Rows): Promise<StoreResult<void>>;
  /** Runs a statement that gives no rows. */
  run(query: Query, role?: ConnectionRole): Promise<StoreResult<void>>;
  /** Runs a statement on every node of a cluster, on the table that holds its share of the rows. */
  runOnNodes(sql: (localTable: (table: string) => string) => string): Promise<StoreResult<void>>;
  /** Rows of a query that is asked on every node. */
  selectOnNodes(
    query: (localTable: (table: string) => string) => Query,
  ): Promise<StoreResult<readonly Cells[]>>;
  /**
   * Waits until the rows of a table are on the nodes of a cluster that they belong to. A row that a node has taken
   * for another is safe on its disk meanwhile, but is not found yet.
   */
  deliver(table: string): Promise<StoreResult<void>>;
  /** Waits for what is under way, then closes. */
  close(): Promise<void>;
}

export const stored = <T>(value: T): StoreResult<T> => ({ ok: true, value });
export const notStored = (
  kind: StoreFaultKind,
  message: string,
): { readonly ok: false; readonly fault: StoreFault } => ({
  ok: false,
  fault: { kind, message },
});
