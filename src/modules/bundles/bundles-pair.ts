import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { badParameter, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { venueName } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { tickerParameter, venueParameter } from '../../products/rows/asked.ts';
import { namedLegs } from '../../products/statistics/spread-legs.ts';
import {
  beginParts,
  bodyOf,
  booksOf,
  bundled,
  bundleFields,
  listFault,
  type PlannedBundle,
  planBundle,
} from './bundle.ts';
import example from './examples/bundles-pair.json' with { type: 'json' };
import { beginPart } from './part.ts';
import { type LegNames, PAIR_ROUTES, pairPaths, SIZES, slippagePath, snapshotPath } from './paths.ts';
import { venuesIn } from './snapshot-venues.ts';

const query = Type.Object({
  ticker: tickerParameter,
  short: Type.Optional({
    ...venueParameter,
    description: 'Venue of the short leg; with long, or neither for the widest pair',
  }),
  long: Type.Optional({ ...venueParameter, description: 'Venue of the long leg', examples: ['bybit'] }),
  size_usd: Type.Unsafe<(typeof SIZES)[number]>({
    type: 'integer',
    enum: [...SIZES],
    default: 10_000,
    description: 'Notional of each leg, US dollars',
  }),
});

const answer = Type.Object({
  short: venueName,
  long: venueName,
  ...bundleFields(PAIR_ROUTES),
});

type Asked = Static<typeof query>;

interface PairBundle extends PlannedBundle {
  /** Undefined: the widest pair of the snapshot. */
  readonly legs: LegNames | undefined;
}

export const bundlesPair = defineProduct({
  id: 'bundles-pair',
  path: '/v1/bundles/pair',
  access: 'paid',
  summary: 'All of one pair of venues',
  description:
    'All that the page shows of a pair of venues of one asset, bought at once for less than its parts: the snapshot, slippage of a size, what the position would have earned in 1, 7 and 30 days, settled funding of 30 days, and the spread against its past. By default the widest pair. Each part is the whole answer of the call that it names, rates and books of one moment; a part that has none says why.',
  tags: ['bundle', 'funding', 'spread', 'backtest', 'perpetual-futures'],
  dependsOn: 'books',
  revisedAt: '2026-11-29T18:10:00.000Z',
  query,
  answer,
  example: { request: '/v1/bundles/pair?ticker=CHZ&short=okx&long=binance&size_usd=1000', answer: example },
  find: findPair,
  books: booksOf,
  compute: ({ main, others, legs }: PairBundle, services: Services, { ticker, size_usd: size }) => {
    const now = services.clock.now();
    const first = beginPart(main, services.clock);
    const named = legs ?? widest(bodyOf(first));
    if (named === undefined)
      return Promise.resolve(first).then(({ result }) => (result.ok ? fail(NO_PAIR) : result));
    const known = others.map((part) => beginPart(part, services.clock));
    const more = beginParts(pairPaths(ticker, named, size, now), services);
    return bundled({ ...named }, [first, ...known, ...more]);
  },
});

const NO_PAIR = {
  code: 'single_venue',
  detail: 'Fewer than two venues have a rate of the asset now: there is no pair of them.',
} as const;

/** 400 of one leg alone; without it, the pair is the widest. */
function oneLeg(named: keyof LegNames): Failure {
  const other = named === 'short' ? 'long' : 'short';
  const failure = badParameter(named, `needs ${other}, too: name both legs, or neither for the widest pair`);
  return { ...failure, corrections: [{ parameter: named }] };
}

/** 400 of several assets, of one leg alone and of two on one venue, 404 of one that is not listed there; else the failure of the snapshot. */
function findPair({ ticker, short, long, size_usd: size }: Asked, services: Services): Result<PairBundle> {
  const several = listFault(ticker);
  if (several !== undefined) return fail(several);
  if ((short === undefined) !== (long === undefined))
    return fail(oneLeg(short === undefined ? 'long' : 'short'));
  const legs = short === undefined || long === undefined ? undefined : { short, long };
  const planned = planBundle(snapshotPath(ticker), [slippagePath(ticker, size)], services);
  if (!planned.ok || legs === undefined) return planned.ok ? ok({ ...planned.value, legs }) : planned;
  const found = namedLegs(services.market, { ticker, ...legs });
  return found.ok ? ok({ ...planned.value, legs }) : found;
}

/** The venues of a snapshot with the highest and the lowest rate, as the page chooses them. */
function widest(snapshot: unknown): LegNames | undefined {
  const rated = venuesIn(snapshot).filter(({ rate8h }) => rate8h !== undefined);
  const ranked = rated.sort((a, b) => (b.rate8h ?? 0) - (a.rate8h ?? 0));
  const short = ranked[0]?.venue;
  const long = ranked.at(-1)?.venue;
  return short === undefined || long === undefined || short === long ? undefined : { short, long };
}
