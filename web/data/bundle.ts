import type { Place } from '../place.ts';
import type { Answer } from './answer.ts';

/** A call in a bundle, with its answer; a module answers bundles, so that the client may not know their types. */
interface Part {
  readonly path: string;
  readonly status: number;
  readonly as_of: string | null;
  readonly error: { readonly title: string; readonly detail: string } | null;
  readonly answer: unknown;
}

const PREFIX = '/v1/bundles/';

export const isBundle = (path: string): boolean => path.startsWith(PREFIX);

/**
 * The bundle of all that a view reads: one call, so that it is bought by one signature. Undefined of a view that has none, and
 * where the reader has chosen what no bundle has.
 */
export function bundleOf({ view, params }: Place): string | undefined {
  if (view === 'matrix') return `${PREFIX}matrix`;
  const ticker = params.get('id') ?? params.get('ticker') ?? 'BTC';
  if (view === 'asset')
    return pathOf('asset', { ticker, ...named(params, { span: 'span', v: 'history_venues' }) });
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

/** True of a call whose answer names the further calls of its view, as the venues of an asset. */
export const leadsOn = ({ path }: { readonly path: string }): boolean => path.startsWith('/v1/perp/snapshot');

/** The parts of a bundle that say something for good: an answer, or that there is none. One that only failed may be asked for again. */
export function partsOf(path: string, body: unknown): readonly Part[] {
  if (!isBundle(path)) return [];
  const { parts = [] } = body as { readonly parts?: readonly Part[] };
  return parts.filter(({ status }) => status < 500);
}

/** The state of the call of a part without an answer. */
export const failedPart = ({ status, error }: Part): Answer<never> => ({
  state: 'failed',
  status,
  title: error?.title ?? '',
  detail: error?.detail ?? '',
  candidates: [],
});
