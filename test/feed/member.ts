import type { VenueId } from '../../src/domain/venue.ts';
import type { Child } from '../../src/host/process/child.ts';
import type { Relay, RelayMode } from '../pay/relay.ts';

/** A process of the service. */
export interface Member {
  readonly name: string;
  readonly url: string;
  /** Its operator's port, where nothing is charged. */
  readonly admin: string;
  /** The latest of its processes. */
  child: Child;
  /** Starts it again, with what it had. */
  readonly begin: () => Child;
  /** The network between it and the servers of the feed. */
  readonly feed: {
    set(mode: RelayMode): void;
    /** Place of the server that it is connected to; -1 = none. */
    server(): number;
  };
  /** The network between a collector and its venues. */
  readonly venues?: Relay;
  /** Sets its clock ahead, or back; undefined where that cannot be done here. */
  readonly setClock: ((seconds: number) => void) | undefined;
}

interface Health {
  readonly venues: { readonly live: number };
  readonly roles: readonly string[];
  readonly payments: { readonly ledger_ok: boolean | null };
  readonly store: { readonly part: string | null; readonly mode: string | null };
  readonly feed: {
    readonly ok: boolean;
    readonly holds: number;
    readonly behind: readonly string[];
    readonly unreached: readonly string[];
  };
}

/** A row of one venue as a seller answers it. */
export interface SoldRow {
  readonly venue: VenueId;
  readonly mark: number;
}

/** As answers round. */
export const rounded = (price: number): number => Number(price.toPrecision(9));

/** Far more than a busy machine takes: a connection that nobody answers must not hold up who asks again. */
const PATIENCE_MS = 30_000;

/** @param patienceMs less for a process that may be stopped */
export async function healthOf({ url }: Member, patienceMs?: number): Promise<Health> {
  return (await (await ask(`${url}/v1/health`, patienceMs)).json()) as Health;
}

const ask = (address: string, patienceMs = PATIENCE_MS): Promise<Response> =>
  fetch(address, { signal: AbortSignal.timeout(patienceMs) });

/** The rows of an asset that a seller would sell: comparable and fresh, by venue. */
export async function soldRows({ admin }: Member, symbol: string): Promise<readonly SoldRow[]> {
  const response = await ask(`${admin}/v1/perp/snapshot?ticker=${symbol}`);
  if (!response.ok) return [];
  const { venues } = (await response.json()) as {
    readonly venues: readonly { readonly venue: VenueId; readonly mark_price: number }[];
  };
  return venues.map(({ venue, mark_price }) => ({ venue, mark: rounded(mark_price) }));
}

/**
 * Every row of an asset at a seller, with the reason for which it would not be sold: for readers of a soak's
 * output.
 */
export async function listedRows({ admin }: Member, symbol: string): Promise<readonly string[]> {
  const response = await ask(`${admin}/v1/funding/current?symbol=${symbol}&include_uncomparable=true`);
  if (!response.ok) return [`status ${response.status}`];
  const { rates } = (await response.json()) as {
    readonly rates: readonly {
      readonly venue: VenueId;
      readonly mark_price: number;
      readonly uncomparable_reason?: string;
      readonly updated_at: string;
    }[];
  };
  return rates.map(
    ({ venue, mark_price, uncomparable_reason = 'ok', updated_at }) =>
      `${venue} ${mark_price} ${uncomparable_reason} of ${updated_at.slice(14, 23)}`,
  );
}
