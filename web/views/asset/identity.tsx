import type { JSX } from 'preact';
import type { PerpSnapshotAnswer } from '../../../packages/client/src/routes.ts';
import type { SnapshotVenue } from '../../data/asset.ts';
import { Listing } from '../../parts/listing.tsx';
import { Part } from '../../parts/part.tsx';
import type { Column } from '../../parts/table.tsx';
import { linkTo } from '../../place.ts';
import { count } from '../../text/number.ts';

interface Named {
  readonly venue: string;
  readonly canonicalId: string;
  /** The venue's name of its contract; unknown of other assets, which are not read here. */
  readonly row: SnapshotVenue | undefined;
}

function listingsOf({
  canonical_id: canonicalId,
  venues,
  same_ticker: others,
}: PerpSnapshotAnswer): readonly Named[] {
  return [
    ...venues.map((row) => ({ venue: row.venue, canonicalId, row })),
    ...others.flatMap((other) =>
      other.venues.map((venue) => ({ venue, canonicalId: other.canonical_id, row: undefined })),
    ),
  ];
}

const columnsFor = ({ ticker, canonical_id: own }: PerpSnapshotAnswer): readonly Column<Named>[] => [
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
  { id: 'contract', title: 'Contract there', value: ({ row }) => row?.venue_symbol },
  { id: 'quote', title: 'Quoted in', value: ({ row }) => row?.quote },
  {
    id: 'multiplier',
    title: 'Coins in its unit',
    about: 'What the venue counts as one: 1000PEPE is a thousand',
    numeric: true,
    value: ({ row }) => row?.multiplier,
    show: ({ row }) => count(row?.multiplier),
  },
  {
    id: 'identity',
    title: `What ${ticker} is there`,
    value: ({ canonicalId }) => canonicalId,
    show: ({ canonicalId }) =>
      canonicalId === own ? (
        <span class="tag live">{canonicalId}</span>
      ) : (
        <a class="tag stale" href={linkTo('asset', { ticker, id: canonicalId })}>
          {canonicalId}: another asset
        </a>
      ),
  },
];

/** The names of an asset at each venue, and other assets with its ticker. */
export function Identity({ snapshot }: { snapshot: PerpSnapshotAnswer }): JSX.Element {
  const { ticker, canonical_id, same_ticker: others } = snapshot;
  const rows = listingsOf(snapshot);
  const columns = columnsFor(snapshot);
  return (
    <Part title="Identity">
      <p class="fine">
        {others.length === 0
          ? `${ticker} means ${canonical_id} everywhere: no other asset goes by this ticker.`
          : `The ticker ${ticker} names ${count(others.length + 1)} assets. They are never compared with each other.`}
      </p>
      <Listing
        name={`${ticker}-identity`}
        id="identity"
        caption={`What ${ticker} is at each venue`}
        columns={columns}
        rows={rows}
        keyOf={({ venue, canonicalId }) => `${venue} ${canonicalId}`}
        first="identity"
      />
    </Part>
  );
}
