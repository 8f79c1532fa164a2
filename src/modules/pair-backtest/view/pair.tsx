import type { JSX } from 'preact';
import type { PerpSnapshotAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import type { SnapshotVenue } from '../../../../web/data/asset.ts';
import { AssetField, Select } from '../../../../web/parts/fields.tsx';
import { SkipPast } from '../../../../web/parts/skip-past.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { WatchLink } from '../../../../web/parts/watch-link.tsx';
import { change, choice, usePlace } from '../../../../web/place.ts';
import { assetQuery } from '../../../../web/views/asset/asset.tsx';
import { Position } from './position.tsx';

/** Sizes that the stored books have the slippage of, USD. */
const SIZES = ['10000', '5000', '1000'] as const;

/** Any two venues of an asset, as a position short on the one and long on the other. */
export function Pair(): JSX.Element {
  const { params } = usePlace();
  const { ticker, query } = assetQuery(params);
  const path = `/v1/perp/snapshot?${query}`;
  const answer = useAnswer<PerpSnapshotAnswer>(path, 5000);
  return (
    <>
      <div class="head">
        <h1>
          {ticker} <small>a pair of venues</small>
        </h1>
        <AssetField view="pair" ticker={ticker} />
      </div>
      <Shown answer={answer} what={`the snapshot of ${ticker}`}>
        {(snapshot) => <Legs snapshot={snapshot} query={query} />}
      </Shown>
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

function Legs({ snapshot, query }: { snapshot: PerpSnapshotAnswer; query: string }): JSX.Element {
  const { params } = usePlace();
  const [firstShort, firstLong] = widest(snapshot.venues);
  const short = params.get('short') ?? firstShort;
  const long = params.get('long') ?? firstLong;
  const size = choice(params, 'size', SIZES);
  const all = snapshot.venues.map(({ venue }) => venue).toSorted();
  return (
    <div class="stack">
      <SkipPast what="the choice of legs" isBefore />
      <div class="bar">
        <Select label="Short on" name="short" chosen={short} words={all} />
        <button type="button" onClick={() => change({ short: long, long: short })}>
          Swap
        </button>
        <Select label="Long on" name="long" chosen={long} words={all} />
        <Select
          label="Size of a leg"
          name="size"
          chosen={size}
          words={SIZES}
          text={(usd) => `$${Number(usd) / 1000}K`}
        />
        {short !== long && (
          <WatchLink
            kind="spread"
            ticker={snapshot.canonical_id}
            venue={`${short},${long}`}
            now={spreadBps(snapshot, [short, long])}
            what={`the spread of ${short} and ${long}`}
          />
        )}
      </div>
      {short === long ? (
        <p class="notice">A pair is of two venues.</p>
      ) : (
        <Position snapshot={snapshot} query={query} short={short} long={long} size={size} />
      )}
    </div>
  );
}
