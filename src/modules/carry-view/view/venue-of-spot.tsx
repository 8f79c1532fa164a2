import type { JSX } from 'preact';

interface VenueOfSpotProps {
  readonly venue: string;
  readonly symbol: string;
  readonly relation: 'same' | 'wrapped';
  /** Currency of its prices, where no column has it. */
  readonly quote?: string;
}

/** A spot market by its venue; that of a bridged claim on the coin is marked. */
export const VenueOfSpot = ({ venue, symbol, relation, quote }: VenueOfSpotProps): JSX.Element => (
  <span title={symbol}>
    {venue}
    {quote !== undefined && <small> {quote}</small>}
    {relation === 'wrapped' && (
      <>
        {' '}
        <span class="tag" title="A bridged claim on the coin, and not that coin">
          wrapped
        </span>
      </>
    )}
  </span>
);
