import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import { median } from '../../domain/median.ts';
import { asMs } from '../../domain/units.ts';
import type { ProductAnswer } from '../../products/answer/product-answer.ts';
import {
  boolean,
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';
import { defineProduct, type Ports } from '../../products/define-product.ts';
import { assetQuery } from '../../products/rows/asked.ts';
import example from './examples/spot-current.json' with { type: 'json' };
import { presentIndex } from './market/apart.ts';
import { midOf, priceOf } from './market/spot-price.ts';
import type { SpotRow } from './market/spot-table.ts';
import { type FoundSpot, findSpot } from './select-spot.ts';
import { spotTakerFee } from './spot-fee.ts';

const row = Type.Object({
  venue: venueName,
  venue_symbol: text("The venue's symbol of the pair; a perpetual may have the same one"),
  base: text('Base as the venue spells it'),
  quote: text('Currency of the prices: USD, USDT or USDC'),
  relation: oneOf(['same', 'wrapped'], {
    description: 'wrapped: a bridged claim on the coin, and not that coin',
  }),
  best_bid: nullable(number('Per coin')),
  best_bid_size: nullable(number('Coins')),
  best_ask: nullable(number('Per coin')),
  best_ask_size: nullable(number('Coins')),
  touch_reason: nullable(
    oneOf(['not_stated'], {
      description: 'Why there is no bid and ask: the bulk call of the venue states none that can be traded',
    }),
  ),
  mid_price: nullable(number('Middle of bid and ask; where the venue states the middle alone, that')),
  last_price: nullable(number('Last trade, per coin')),
  spread_bps: nullable(number('Ask less bid, basis points of the middle')),
  index_difference_bps: nullable(
    number('Middle, else last price, less index_price, basis points of it; null where no index is known'),
  ),
  volume_24h_base: nullable(number('Coins')),
  volume_24h_usd: nullable(number('US dollars; USDT and USDC counted as dollars')),
  taker_fee_bps: nullable(number('Public taker fee of the base tier; null where none is published')),
  tick: nullable(number('Smallest step of a limit price')),
  lot: nullable(number('Smallest step of a size, coins')),
  min_size: nullable(number('Smallest order, coins')),
  min_notional_usd: nullable(number('Smallest order, US dollars')),
  can_short: nullable(boolean('Whether the list says that the coin can be sold on margin')),
  venue_time: nullable(timestamp("The venue's time of the row")),
  received_at: timestamp('When the row was received'),
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  index_price: nullable(number('Median index of the fresh comparable perpetuals of the asset')),
  markets_count: integer('Spot markets in markets', 1),
  markets_apart: integer('Markets of the name that are left out, since their price is another one'),
  markets: Type.Array(row, { description: 'By venue and symbol' }),
  note: text('What is left out'),
});

const NOTE =
  'Pairs in USD, USDT and USDC whose price is that of the index of the perpetuals; leveraged tokens and tokens of shares are left out. Bulk quotes every ten seconds, none older than a minute. No forecast.';

export const spotCurrent = defineProduct({
  id: 'spot-current',
  path: '/v1/spot/current',
  access: 'paid',
  summary: 'Spot markets',
  description:
    'Spot markets of the asset of a perpetual, by venue: best bid and ask with sizes, 24 h volume, taker fee, least order, and the distance from the index of its perpetuals. Bridged tokens are named as such.',
  tags: ['spot', 'basis', 'cash-and-carry'],
  dependsOn: 'second',
  revisedAt: '2026-11-29T22:00:00.000Z',
  query: assetQuery,
  answer,
  example: { request: '/v1/spot/current?ticker=BTC', answer: example },
  find: findSpot,
  compute: (found, ports) => ok(currentSpot(found, ports)),
});

function currentSpot(
  { ticker, canonicalId, rows, leftOut, venues }: FoundSpot,
  { market }: Ports,
): ProductAnswer<Static<typeof answer>> {
  const indexes = market
    .rowsOf(canonicalId)
    .flatMap((row) => (row.comparable && row.fresh ? (presentIndex(row) ?? []) : []));
  const index = indexes.length === 0 ? undefined : median(indexes);
  const body: Static<typeof answer> = {
    ticker,
    canonical_id: canonicalId,
    index_price: index ?? null,
    markets_count: rows.length,
    markets_apart: leftOut.apart,
    markets: rows.map((spot) => marketRow(spot, index)),
    note: NOTE,
  };
  const used = [...new Set(rows.map(({ market: { venue } }) => venue))];
  const asOf = asMs(Math.min(...rows.map(({ receivedAt }) => receivedAt)));
  return { body, asOf, sources: { used, missing: venues.filter((venue) => !used.includes(venue)) } };
}

function marketRow({ market, ticker, receivedAt }: SpotRow, index: number | undefined): Static<typeof row> {
  const mid = midOf(ticker);
  const { bestBid, bestAsk } = ticker;
  const isQuoted = bestBid !== undefined && bestAsk !== undefined;
  const price = priceOf(ticker);
  return {
    venue: market.venue,
    venue_symbol: market.symbol,
    base: market.base,
    quote: market.quote,
    relation: market.relation ?? 'same',
    best_bid: bestBid ?? null,
    best_bid_size: ticker.bestBidSize ?? null,
    best_ask: bestAsk ?? null,
    best_ask_size: ticker.bestAskSize ?? null,
    touch_reason: isQuoted ? null : 'not_stated',
    mid_price: mid ?? ticker.midPrice ?? null,
    last_price: ticker.lastPrice ?? null,
    spread_bps: mid !== undefined && isQuoted ? ((bestAsk - bestBid) / mid) * 10_000 : null,
    index_difference_bps: index === undefined || price === undefined ? null : (price / index - 1) * 10_000,
    volume_24h_base: ticker.volume24hBase ?? null,
    volume_24h_usd: ticker.volume24hUsd ?? null,
    taker_fee_bps: spotTakerFee(market, ticker) ?? null,
    tick: market.tick ?? null,
    lot: market.lot ?? null,
    min_size: market.minSize ?? null,
    min_notional_usd: market.minUsd ?? null,
    can_short: market.canShort ?? null,
    venue_time: ticker.venueTime === undefined ? null : iso(ticker.venueTime),
    received_at: iso(receivedAt),
  };
}
