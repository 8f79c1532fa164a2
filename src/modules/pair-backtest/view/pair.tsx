import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PerpSnapshotAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import type { SnapshotVenue } from '../../../../web/data/asset.ts';
import { AssetField } from '../../../../web/parts/fields.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { WatchLink } from '../../../../web/parts/watch-link.tsx';
import { change, choice, usePlace } from '../../../../web/place.ts';
import { SECTIONS } from '../../../../web/sections/pair.ts';
import { assetQuery } from '../../../../web/views/asset/asset-query.ts';
import type { PairSection } from '../../../../web/views/sections.ts';
import { LegsBar } from './legs-bar.tsx';
import { Position } from './position.tsx';

/** Sizes that the stored books have the slippage of, USD. */
const SIZES = ['10000', '5000', '1000'] as const;

/** Kinds of leg beside perpetuals that modules bring, by their names in the address. */
const BROUGHT: ReadonlyMap<string, PairSection> = new Map<string, PairSection>(SECTIONS);

/** The section of a leg, which names it: `options`, `options:deribit`. Undefined of a perpetual. */
const broughtOf = (leg: string | null): PairSection | undefined =>
  leg === null ? undefined : BROUGHT.get(leg.split(':', 1)[0] ?? '');

/** Two venues of an asset, as a position short on the one and long on the other. */
export function Pair(): JSX.Element {
  const { params } = usePlace();
  const { ticker, query } = assetQuery(params);
  const short = params.get('short');
  const long = params.get('long');
  const Brought = broughtOf(short) ?? broughtOf(long);
  const path = `/v1/perp/snapshot?${query}`;
  const answer = useAnswer<PerpSnapshotAnswer>(Brought === undefined ? path : undefined, 5000);
  return (
    <>
      <div class="head">
        <h1>
          {ticker} <small>a pair of venues</small>
        </h1>
        <AssetField view="pair" ticker={ticker} />
      </div>
      {Brought === undefined ? (
        <Shown answer={answer} what={`the snapshot of ${ticker}`}>
          {(snapshot) => <Legs snapshot={snapshot} query={query} />}
        </Shown>
      ) : (
        <div class="stack">
          <Brought
            ticker={ticker}
            query={query}
            short={short ?? undefined}
            long={long ?? undefined}
            bar={(choice) => <LegsBar {...choice} />}
          />
        </div>
      )}
    </>
  );
}

/** The widest pair, until the reader chooses. */
function widest(venues: readonly SnapshotVenue[]): readonly [short: string, long: string] {
  const known = venues
    .filter(({ rate_8h }) => rate_8h !== null)
    .toSorted((a, b) => (b.rate_8h ?? 0) - (a.rate_8h ?? 0));
  return [known[0]?.venue ?? '', known.at(-1)?.venue ?? ''];
}

/** The spread of two venues' rates of eight hours, bps, whichever is higher; null where one is unknown. */
function spreadBps({ venues }: PerpSnapshotAnswer, names: readonly string[]): number | null {
  const [a, b] = names.map((name) => venues.find(({ venue }) => venue === name)?.rate_8h);
  return a == null || b == null ? null : Math.abs(a - b) * 10_000;
}

interface LegsProps {
  readonly snapshot: PerpSnapshotAnswer;
  readonly query: string;
}

function Legs({ snapshot, query }: LegsProps): JSX.Element {
  const { params } = usePlace();
  const size = choice(params, 'size', SIZES);
  const isOther = params.has('size') && params.get('size') !== size;
  // A size that another kind of leg has is none of this pair, and no call of it takes it.
  useEffect(() => {
    if (isOther) change({ size: undefined });
  }, [isOther]);
  const [firstShort, firstLong] = widest(snapshot.venues);
  const short = params.get('short') ?? firstShort;
  const long = params.get('long') ?? firstLong;
  const venues = snapshot.venues.map(({ venue }) => venue).toSorted();
  return (
    <div class="stack">
      <LegsBar short={short} long={long} legs={[...venues, ...BROUGHT.keys()]} size={size} sizes={SIZES}>
        {short !== long && (
          <WatchLink
            kind="spread"
            ticker={snapshot.canonical_id}
            venue={`${short},${long}`}
            now={spreadBps(snapshot, [short, long])}
            what={`the spread of ${short} and ${long}`}
          />
        )}
      </LegsBar>
      {short === long ? (
        <p class="notice">A pair is of two venues.</p>
      ) : (
        <Position snapshot={snapshot} query={query} short={short} long={long} size={size} />
      )}
    </div>
  );
}
