import type { JSX } from 'preact';
import type { SpotCurrentAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { useKeptChoice } from '../../../../web/data/kept-choice.ts';
import { Figures } from '../../../../web/parts/figures.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { count, price } from '../../../../web/text/number.ts';
import { AssetCarry } from './asset-carry.tsx';
import { BorrowRates } from './borrow-rates.tsx';
import { KEPT } from './carry-calls.ts';
import { MARKET_COLUMNS } from './market-columns.tsx';
import { SpotShown } from './spot-shown.tsx';

const EVERY_MS = 10_000;
const NOT_FOUND = 404;

interface AssetSpotProps {
  readonly ticker: string;
  readonly query: string;
}

/** The spot markets of an asset, what it costs to borrow, and its carry. */
export function AssetSpot({ ticker, query }: AssetSpotProps): JSX.Element {
  // Before it is known what is kept, calls would be made for nothing.
  const isChosen = useKeptChoice(KEPT, ['ticker', 'id', 'market']);
  const path = `/v1/spot/current?${query}`;
  const answer = useAnswer<SpotCurrentAnswer>(path, EVERY_MS);
  // An asset without a spot market, or of which it is not said what is meant, has no more of it: to ask at once for the rest would
  // show the same reason in each part until the first is there.
  const isRefused =
    answer.state === 'failed' && (answer.status === NOT_FOUND || answer.candidates.length > 0);
  const hasMore = isChosen && answer.state !== 'loading' && !isRefused;
  return (
    <>
      <Part title="Spot markets">
        <SpotShown answer={answer} what={`the spot markets of ${ticker}`}>
          {(spot) => <Markets spot={spot} path={path} />}
        </SpotShown>
      </Part>
      {hasMore && (
        <>
          <BorrowRates ticker={ticker} query={query} />
          <AssetCarry ticker={ticker} query={query} />
        </>
      )}
    </>
  );
}

function Markets({ spot, path }: { spot: SpotCurrentAnswer; path: string }): JSX.Element {
  const { ticker, markets, markets_count: all, markets_apart: apart, index_price: index, note } = spot;
  return (
    <>
      <Figures
        figures={[
          ['Spot markets', count(all)],
          ['At another price', count(apart), { about: 'Markets of the name that are left out' }],
          ['Index of its perpetuals', price(index)],
        ]}
      />
      <Listing
        name={`${ticker}-spot`}
        id="spot"
        caption={`Spot markets of ${ticker}`}
        columns={MARKET_COLUMNS}
        rows={markets}
        keyOf={({ venue, venue_symbol: symbol }) => `${venue} ${symbol}`}
        first="-volume_24h_usd"
        paths={[path]}
      />
      <p class="fine">{note}</p>
    </>
  );
}
