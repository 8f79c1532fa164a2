import type { JSX } from 'preact';
import type {
  BacktestDataAnswer,
  FundingHistoricalAnswer,
  OrderbookMultiVenueSlippageAnswer,
  PerpSnapshotAnswer,
} from '../../../packages/client/src/routes.ts';
import { useAnswer, useAnswers } from '../../data/answers.ts';
import { useVenues } from '../../data/service.ts';
import { Shown, Trouble } from '../../parts/states.tsx';
import { serverNow } from '../../text/time.ts';
import type { Leg, LegSize } from './pair-model.ts';
import { Now } from './pair-now.tsx';
import { Past } from './pair-past.tsx';

const DAY_MS = 86_400_000;

interface PositionProps {
  readonly snapshot: PerpSnapshotAnswer;
  readonly query: string;
  readonly short: string;
  readonly long: string;
  readonly size: `${LegSize}`;
}

/** From midnight thirty days ago: the address of a call that may have been bought stays the same for a day. */
function historyPath(query: string): string {
  const from = new Date(Math.floor(serverNow() / DAY_MS) * DAY_MS - 29 * DAY_MS).toISOString();
  return `/v1/funding/historical?${query}&basis=both&aggr=1h&from=${from.slice(0, 19)}Z`;
}

/** The books that were stored of a leg, hour by hour; the address stays the same for a day, too. */
function booksPath(query: string, venue: string): string {
  const [from, to] = [-30, 1].map((days) =>
    new Date((Math.floor(serverNow() / DAY_MS) + days) * DAY_MS).toISOString().slice(0, 19),
  );
  return `/v1/backtest/data?${query}&venue=${venue}&granularity=1h&from=${from}Z&to=${to}Z&include_funding=false&include_orderbook=true`;
}

/** A position short on one venue and long on another: now, and what it would have earned. */
export function Position({ snapshot, query, short, long, size }: PositionProps): JSX.Element {
  const venues = useVenues();
  const slippagePath = `/v1/orderbook/multi-venue-slippage?${query}&size_usd=${size}`;
  const slippages = useAnswer<OrderbookMultiVenueSlippageAnswer>(slippagePath, 10_000);
  const path = historyPath(query);
  const history = useAnswer<FundingHistoricalAnswer>(path, 60_000);
  const bookPaths = [booksPath(query, short), booksPath(query, long)];
  const books = useAnswers<BacktestDataAnswer>(bookPaths, 300_000);
  const legOf = (venue: string): Leg => {
    const row = snapshot.venues.find((one) => one.venue === venue);
    const quote =
      slippages.state === 'ready' ? slippages.body.venues.find((one) => one.venue === venue) : undefined;
    const listed = venues.state === 'ready' ? venues.body.find(({ name }) => name === venue) : undefined;
    return {
      venue,
      intervalHours: row?.funding_interval_hours ?? null,
      takerFeeBps: quote?.taker_fee_bps ?? listed?.taker_fee_bps ?? null,
      slippageBps: quote?.slippage_bps ?? null,
    };
  };
  const [shortLeg, longLeg] = [legOf(short), legOf(long)];
  return (
    <>
      <Now snapshot={snapshot} short={shortLeg} long={longLeg} />
      {slippages.state === 'unpaid' && <Trouble answer={slippages} what="the slippage of both legs" />}
      {books.state === 'unpaid' && <Trouble answer={books} what="the stored books of both legs" />}
      <Shown answer={history} what="the funding history of the pair">
        {(body) => (
          <Past
            history={body}
            short={shortLeg}
            long={longLeg}
            books={books.state === 'ready' ? books.body : []}
            size={Number(size) as LegSize}
            paths={[path, slippagePath, ...bookPaths]}
          />
        )}
      </Shown>
    </>
  );
}
