import type { Place } from '../place.ts';
import { type Answer, priceOf, type UnpaidCall } from './answer.ts';

/** A call in a bundle, with its answer; a module answers bundles, so that the client may not know their types. */
interface Part {
  readonly path: string;
  readonly status: number;
  readonly as_of: string | null;
  readonly error: { readonly title: string; readonly detail: string } | null;
  readonly answer: unknown;
}

const PREFIX = '/v1/bundles/';
/** The parameter of the venues whose history an asset's bundle has. */
const VENUES = 'history_venues';

export const isBundle = (path: string): boolean => path.startsWith(PREFIX);

/**
 * The bundle of all that a view reads: one call, so that it is bought by one signature. Undefined of a view that has none, and
 * where the reader has chosen what no bundle has.
 */
export function bundleOf({ view, params }: Place): string | undefined {
  if (view === 'matrix') return `${PREFIX}matrix`;
  const ticker = params.get('id') ?? params.get('ticker') ?? 'BTC';
  if (view === 'asset') return pathOf('asset', { ticker, ...named(params, { span: 'span', v: VENUES }) });
  if (view !== 'pair' || params.has('assume')) return undefined;
  const legs = named(params, { short: 'short', long: 'long' });
  const { short, long } = legs;
  // A leg alone leaves the other to the snapshot, and a pair is of two venues.
  if ((short === undefined) !== (long === undefined) || (short !== undefined && short === long))
    return undefined;
  return pathOf('pair', { ticker, ...legs, ...named(params, { size: 'size_usd' }) });
}

type Named = Readonly<Record<string, string>>;

const pathOf = (name: string, query: Named): string => `${PREFIX}${name}?${new URLSearchParams(query)}`;

/** Parameters of the view that are there, under their names in the call. */
const named = (params: URLSearchParams, names: Named): Named =>
  Object.fromEntries(
    Object.entries(names).flatMap(([own, name]) => {
      const said = params.get(own);
      return said === null || said === '' ? [] : [[name, said]];
    }),
  );

/**
 * True of a call whose answer names further calls of its bundle, which are not known before: the legs of a pair, and the
 * venues of an asset unless the reader named them.
 */
export const leadsOn = (bundle: string, { path }: { readonly path: string }): boolean =>
  path.startsWith('/v1/perp/snapshot') && !bundle.includes(`${VENUES}=`);

/** Paths of the calls that the views of an asset and of a pair both read. */
const OF_BOTH = ['/v1/perp/snapshot', '/v1/orderbook/multi-venue-slippage', '/v1/funding/historical'];

/** Paths of the calls of each bundle. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  [`${PREFIX}matrix`]: ['/v1/funding/current'],
  [`${PREFIX}asset`]: [...OF_BOTH, '/v1/perp/oi-history', '/v1/perp/volume-history'],
  [`${PREFIX}pair`]: [...OF_BOTH, '/v1/backtest/pair', '/v1/perp/spread-stats'],
};

const withoutQuery = (path: string): string => path.split('?', 1)[0] ?? '';

/** A purchase of a view with the help of its bundle. */
interface BundleOffer {
  /** The bundle, and the calls of the view that it lacks. */
  readonly calls: readonly UnpaidCall[];
  /** Calls of the view that come with the bundle. */
  readonly covered: readonly UnpaidCall[];
}

/**
 * The purchase of a view by its bundle; undefined where the bundle costs more than those of its calls that are still for sale.
 * @param calls those of the view that are for sale
 */
export function bundleOffer(bundle: UnpaidCall, calls: readonly UnpaidCall[]): BundleOffer | undefined {
  const has = CALLS[withoutQuery(bundle.path)] ?? [];
  const isCovered = ({ path }: UnpaidCall): boolean => has.includes(withoutQuery(path));
  const covered = calls.filter(isCovered);
  const isAll = !covered.some((call) => leadsOn(bundle.path, call));
  if (covered.length === 0 || (isAll && priceOf([bundle]) > priceOf(covered))) return undefined;
  return { calls: [bundle, ...calls.filter((call) => !isCovered(call))], covered };
}

/** The parts of a bundle: each an answer, or that there is none. A bundle of which one is away for now is not sold. */
export function partsOf(path: string, body: unknown): readonly Part[] {
  if (!isBundle(path)) return [];
  const { parts = [] } = body as { readonly parts?: readonly Part[] };
  return parts;
}

/** The state of the call of a part without an answer. */
export const failedPart = ({ status, error }: Part): Answer<never> => ({
  state: 'failed',
  status,
  title: error?.title ?? '',
  detail: error?.detail ?? '',
  candidates: [],
});
