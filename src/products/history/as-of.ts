import Type from 'typebox';
import { lowerAscii } from '../../domain/ascii-case.ts';
import { iso } from '../../domain/clock.ts';
import { type ErrorCode, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { classOfId } from '../../domain/instrument.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { MarketRow } from '../../market/view.ts';
import type { RenderedAnswer } from '../answer/product-answer.ts';
import type { HistoryQueries, Ports, Product } from '../define-product.ts';
import { historicalMarket } from './historical-market.ts';
import { fromStore, readerOf, UNREADABLE } from './stored.ts';
import { asOfParameter, readAsOf } from './window.ts';

/**
 * Rows of the live table that a product looks at: none but for names, those of the asset that is asked for (of all, where
 * none is), or all.
 */
export type RowsLookedAt = 'none' | 'asset' | 'all';

/**
 * A product that also answers as it would have been answered at a moment: with the clock, the rows and the
 * knowledge of then. Names are read as they are understood now.
 */
export function answersAsOf(product: Product, looksAt: RowsLookedAt = 'none'): Product {
  return {
    ...product,
    query: Type.Object({ ...product.query.properties, as_of: asOfParameter }),
    plan: ({ as_of: text, ...asked }, ports) => {
      const asOf = readAsOf(typeof text === 'string' ? text : undefined, ports.clock.now());
      if (!asOf.ok) return asOf;
      const at = asOf.value;
      if (at === undefined) return product.plan(asked, ports);
      if (looksAt === 'none') {
        // Rows of now do not count: which contract was shown then is in the store.
        const plan = product.plan(asked, portsAt(ports, at, historicalMarket(ports.market, [])));
        return plan.ok ? ok({ produce: async () => marked(await plan.value.produce(), at) }) : plan;
      }
      const now = product.plan(asked, { ...ports, clock: { now: () => at } });
      if (!now.ok && !OF_DATA.has(now.error.code)) return now;
      return ok({
        produce: async () => {
          const rows = await rowsAt(ports, at, assetOf(asked, ports, looksAt));
          if (!rows.ok) return rows;
          const plan = product.plan(asked, portsAt(ports, at, historicalMarket(ports.market, rows.value)));
          const made = plan.ok ? await plan.value.produce() : plan;
          return made.ok ? marked(made, at) : fail(unknownThen(made.error, at));
        },
      });
    },
  };
}

/** Says that an answer is one of the past. */
const marked = (made: Result<RenderedAnswer>, at: UnixMs): Result<RenderedAnswer> =>
  made.ok ? ok({ ...made.value, answeredAsOf: at }) : made;

/** Failures that depend on the rows of the moment, and not on the request. */
const OF_DATA: ReadonlySet<ErrorCode> = new Set(['not_ready', 'not_listed', 'no_data', 'single_venue']);

/** Data that is not stored now will not be there in a moment either. */
function unknownThen(failure: Failure, at: UnixMs): Failure {
  if (failure.code !== 'not_ready' || failure === UNREADABLE) return failure;
  return { code: 'no_data', detail: `Nothing of it is stored of the quarter of an hour before ${iso(at)}` };
}

/** The canonical id that is asked about; undefined where all are. A pair names its venues, and its asset by the first. */
function assetOf(
  { ticker, venue: named, short, canonical_id: id }: Readonly<Record<string, unknown>>,
  { market }: Ports,
  looksAt: RowsLookedAt,
): string | undefined {
  if (looksAt === 'all' || typeof ticker !== 'string') return undefined;
  const venue = named ?? short;
  const resolved = market.resolve(ticker, {
    ...(typeof venue === 'string' && { venue: lowerAscii(venue.trim()) }),
    ...(typeof id === 'string' && { canonicalId: id }),
  });
  return resolved.kind === 'one' ? resolved.canonicalId : undefined;
}

/** The rows of then; of one asset with the taker fees that were noted by then. */
async function rowsAt(
  ports: Ports,
  asOf: UnixMs,
  canonicalId: string | undefined,
): Promise<Result<readonly MarketRow[]>> {
  const reader = readerOf(ports);
  const { market } = ports;
  const rows = fromStore(
    await reader.historicalRows({ canonicalId, asOf }, (venue, id) => {
      const tracked = market.venue(venue);
      // A row of now may be of another class, or gone: the id says what its asset was.
      return tracked && { sourceId: tracked.sourceId, assetClass: classOfId(id) };
    }),
  );
  if (!rows.ok || canonicalId === undefined) return rows;
  const fees = fromStore(await reader.takerFees({ contracts: rows.value, asOf }));
  if (!fees.ok) return fees;
  return ok(
    rows.value.map((row) => {
      const noted = fees.value.findLast(({ venue, symbol }) => venue === row.venue && symbol === row.symbol);
      return noted === undefined ? row : { ...row, takerFeeBps: noted.takerBps };
    }),
  );
}

function portsAt(ports: Ports, at: UnixMs, market: Ports['market']): Ports {
  const { history } = ports;
  return {
    ...ports,
    market,
    clock: { now: () => at },
    ...(history !== undefined && { history: { ...history, reader: readerAt(history.reader, at) } }),
  };
}

/** The same questions, answered from what was recorded by a time. */
function readerAt(reader: HistoryQueries, asOf: UnixMs): HistoryQueries {
  return {
    buckets: (scope, parts, stepMs) => reader.buckets({ ...scope, asOf }, parts, stepMs),
    settled: (scope, stepMs) => reader.settled({ ...scope, asOf }, stepMs),
    fundingPayments: (scope) => reader.fundingPayments({ ...scope, asOf }),
    ratesAt: (scope) => reader.ratesAt({ ...scope, asOf }),
    settledMeans: (scope, stepMs) => reader.settledMeans({ ...scope, asOf }, stepMs),
    takerFees: (scope) => reader.takerFees({ ...scope, asOf }),
    interestAt: (scope, withinMs) => reader.interestAt({ ...scope, asOf }, withinMs),
    knownRange: (scope, known) => reader.knownRange({ ...scope, asOf }, known),
    changes: (scope, measures) => reader.changes({ ...scope, asOf }, measures),
    baselines: () => reader.baselines(asOf),
    historicalRows: (scope, knownOf) => reader.historicalRows(scope, knownOf),
    shownContracts: (scope) => reader.shownContracts({ ...scope, asOf }),
    // Of the products that take as_of none asks these.
    settledSpans: () => reader.settledSpans(),
    lastSettledSpans: () => reader.lastSettledSpans(),
    recentPayments: (contracts) => reader.recentPayments(contracts),
  };
}
