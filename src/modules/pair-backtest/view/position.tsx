import type { JSX } from 'preact';
import type {
  OrderbookMultiVenueSlippageAnswer,
  PerpSnapshotAnswer,
} from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { useVenues } from '../../../../web/data/service.ts';
import { ErrorNotice } from '../../../../web/parts/states.tsx';
import { Tools } from '../../../../web/parts/tools.tsx';
import { HeldPositions } from './held-positions.tsx';
import { type Leg, Now } from './pair-now.tsx';
import { SpreadHistory } from './spread-history.tsx';
import { SpreadStats } from './spread-stats.tsx';

interface PositionProps {
  readonly snapshot: PerpSnapshotAnswer;
  readonly query: string;
  readonly short: string;
  readonly long: string;
  readonly size: string;
}

/** A position short on one venue and long on another: now, and what it would have earned. */
export function Position({ snapshot, query, short, long, size }: PositionProps): JSX.Element {
  const venues = useVenues();
  const path = `/v1/orderbook/multi-venue-slippage?${query}&size_usd=${size}`;
  const slippages = useAnswer<OrderbookMultiVenueSlippageAnswer>(path, 10_000);
  const legOf = (venue: string): Leg => {
    const quote =
      slippages.state === 'ready'
        ? slippages.body.venues.find((slippage) => slippage.venue === venue)
        : undefined;
    const listed = venues.state === 'ready' ? venues.body.find(({ name }) => name === venue) : undefined;
    return {
      venue,
      takerFeeBps: quote?.taker_fee_bps ?? listed?.taker_fee_bps ?? null,
      slippageBps: quote?.slippage_bps ?? null,
    };
  };
  const legs = { query, short: legOf(short), long: legOf(long) };
  return (
    <>
      <section>
        <Now snapshot={snapshot} short={legs.short} long={legs.long} />
        <Tools name="pair-now" paths={[`/v1/perp/snapshot?${query}`, path]} />
      </section>
      {slippages.state !== 'ready' && slippages.state !== 'loading' && (
        <ErrorNotice answer={slippages} what="the slippage of both legs" />
      )}
      <HeldPositions {...legs} size={size} />
      <SpreadHistory {...legs} />
      <SpreadStats query={query} short={short} long={long} />
    </>
  );
}
