import { readText } from '../domain/read.ts';
import { contractKey, type TakerFee } from '../domain/series.ts';
import { asBps, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MarketView } from '../market/view.ts';
import type { Batch } from './batch.ts';
import { numberCell, secondsCell, textCell } from './cell.ts';
import { countCell, timeCell } from './queries/cells.ts';
import { recordedCell } from './sample-rows.ts';
import type { Cells, HistoryStore, Query, StoreResult } from './store.ts';
import { stored } from './store.ts';
import type { OnEnd } from './write-queue.ts';

const COLUMNS = ['venue', 'symbol', 'ts', 'taker_bps', 'recorded_at'];

/** The taker fee that a contract has at present. */
export interface ContractFee {
  readonly venue: VenueId;
  readonly symbol: string;
  /** Basis points. */
  readonly takerBps: number;
}

/** Public taker fees of all live contracts: a contract's own, else its venue's. */
export function* contractFees(view: MarketView): Generator<ContractFee> {
  const ofVenue = new Map(view.venues().map(({ info }) => [info.id, info.takerFeeBps]));
  for (const { venue, symbol, takerFeeBps = ofVenue.get(venue) } of view.eachRow()) {
    if (takerFeeBps !== undefined) yield { venue, symbol, takerBps: takerFeeBps };
  }
}

/** Notes the taker fees of contracts when they change, so that a past trade is charged what it cost then. */
export class FeeWatch {
  readonly #offer: (batch: Batch, onEnd: OnEnd) => boolean;
  readonly #noted = new Map<string, number>();

  constructor(offer: (batch: Batch, onEnd: OnEnd) => boolean) {
    this.#offer = offer;
  }

  /** Takes up what was noted last before the start. */
  async start(store: HistoryStore): Promise<StoreResult<void>> {
    const sql = 'SELECT venue, symbol, argMax(taker_bps, (ts, recorded_at)) FROM fees GROUP BY venue, symbol';
    const read = await store.select({ sql, params: {} });
    if (!read.ok) return read;
    for (const [venue, symbol, bps] of read.value)
      this.#noted.set(contractKey(readText(venue) ?? '', readText(symbol) ?? ''), countCell(bps));
    return stored(undefined);
  }

  /** Compares what is with what was noted; writes what has changed. */
  observe(fees: Iterable<ContractFee>, now: UnixMs): void {
    const changed: [key: string, bps: number][] = [];
    const lines: string[] = [];
    for (const { venue, symbol, takerBps } of fees) {
      const key = contractKey(venue, symbol);
      if (this.#noted.get(key) === takerBps) continue;
      changed.push([key, takerBps]);
      lines.push(
        [textCell(venue), textCell(symbol), secondsCell(now), numberCell(takerBps), recordedCell(now)].join(
          '\t',
        ),
      );
    }
    if (lines.length === 0) return;
    // Without room now, or where the store refuses it, the same is written the next time.
    const batch = { table: 'fees', columns: COLUMNS, lines, from: now, to: now };
    const isTaken = this.#offer(batch, (isWritten) => {
      if (!isWritten) for (const [key] of changed) this.#noted.delete(key);
    });
    if (isTaken) for (const [key, bps] of changed) this.#noted.set(key, bps);
  }
}

/** Contracts of some venues whose fees are asked for. */
export interface FeeScope {
  readonly contracts: readonly { readonly venue: VenueId; readonly symbol: string }[];
  /** The view as of this time of recording. */
  readonly asOf?: UnixMs | undefined;
}

/** The fees of contracts from the first that was noted, by contract and time. */
export function feesQuery({ contracts, asOf }: FeeScope): Query {
  const known = asOf === undefined ? '' : ' AND recorded_at <= fromUnixTimestamp64Milli({as_of:Int64})';
  return {
    sql:
      'SELECT venue, symbol, toUnixTimestamp(ts) AS at, taker_bps FROM fees WHERE venue IN {venues:Array(String)} ' +
      `AND concat(venue, ' ', symbol) IN {contracts:Array(String)}${known} ORDER BY venue, symbol, at, recorded_at`,
    params: {
      venues: contracts.map(({ venue }) => venue),
      contracts: contracts.map(({ venue, symbol }) => contractKey(venue, symbol)),
      ...(asOf === undefined ? {} : { as_of: asOf }),
    },
  };
}

/** A row of `feesQuery`. */
export const readFee = (cells: Cells): TakerFee => ({
  venue: readText(cells[0]) ?? '',
  symbol: readText(cells[1]) ?? '',
  since: timeCell(cells[2]),
  takerBps: asBps(countCell(cells[3])),
});
