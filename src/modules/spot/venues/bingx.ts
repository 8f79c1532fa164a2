import type { Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { envelope, objectIn, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels, bestFirst } from '../../../venues/grammar/book.ts';
import { field, ms, price } from '../../../venues/grammar/field.ts';
import { inBase, inQuote, tick } from '../../../venues/grammar/terms.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { baseVolume, size, value } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import type { SpotReason } from '../spot-rows.ts';
import { ownNames, type SpotVenue, spotCall } from '../spot-venue.ts';

const open = envelope({ isSuccess: (code) => String(code) === '0' });
const spell = separated('-');

/** `TRUMP` is MAGA Trump here, and the coin of that ticker elsewhere is `TRUMPSOL`. */
const ASSETS: Readonly<Record<string, string>> = { TRUMP: 'TRUMPMAGA', TRUMPSOL: 'TRUMP', OMNI: 'OMNICAT' };
const assetOf = (name: string): string => ASSETS[name] ?? name;

const STATUSES: Readonly<Record<string, SpotReason>> = { '0': 'delisted', '5': 'prelisting' };

/** Older rows do not say whether orders are taken by this interface. */
const isOpen = (state: unknown): boolean => (state ?? true) === true;

const MARKET: MarketTable = {
  venue: 'bingx',
  symbol: 'symbol',
  leftOut: (wire: Wire) => {
    if (String(wire.status) !== '1') return STATUSES[String(wire.status)] ?? 'not_trading';
    return isOpen(wire.apiStateBuy) && isOpen(wire.apiStateSell) ? undefined : 'not_trading';
  },
  base: field('symbol', (raw) => spell(String(raw))?.base),
  quote: field('symbol', (raw) => spell(String(raw))?.quote),
  assetOf,
  fields: {
    tick: tick('tickSize'),
    lot: inBase('stepSize'),
    minSize: inBase('minQty'),
    minQuote: inQuote('minNotional'),
  },
};

const decodeTickers = tickers(rowsIn(open, { row: 'symbol' }), {
  symbol: 'symbol',
  spell,
  assetOf,
  fields: {
    bestBid: price('bidPrice'),
    bestBidSize: size('bidQty'),
    bestAsk: price('askPrice'),
    bestAskSize: size('askQty'),
    lastPrice: price('lastPrice'),
    volume24hBase: baseVolume('volume'),
    volume24hQuote: value('quoteVolume'),
    venueTime: ms('closeTime'),
  },
});

const decodeTouch = tickers(rowsIn(open, { row: 'symbol' }), {
  symbol: 'symbol',
  spell,
  assetOf,
  fields: {
    bestBid: price('bidPrice'),
    bestBidSize: size('bidVolume'),
    bestAsk: price('askPrice'),
    bestAskSize: size('askVolume'),
    venueTime: ms('time'),
  },
});

export const bingx: SpotVenue = {
  id: 'bingx',
  takerFeeBps: asBps(10),
  ownNames: ownNames(ASSETS),
  calls: [
    spotCall('/openApi/spot/v1/common/symbols', marketList(rowsIn(open, { list: 'symbols' }), MARKET)),
    spotCall('/openApi/spot/v1/ticker/24hr', decodeTickers),
    spotCall('/openApi/spot/v1/ticker/bookTicker', decodeTouch),
    spotCall(
      '/openApi/spot/v1/market/depth',
      // Bids come best first, and asks from the worst to the best.
      bookSnapshot(objectIn(open), requestedPair('symbol'), spell, {
        bids: bestFirst(arrayLevels('bids'), 'bids'),
        asks: bestFirst(arrayLevels('asks'), 'asks'),
        venueTime: ms('ts'),
      }),
    ),
  ],
  evidence: {
    tickers: {
      said: '`ticker/24hr`: numbers or texts, sizes in base, `volume` base, `quoteVolume` quote, `closeTime` ms (recorded 2023-12)',
      confidence: 'high',
    },
    fee: { said: '10 bps at VIP 0', confidence: 'medium' },
    borrow: { said: 'no margin or loan call is public', confidence: 'medium' },
  },
  verified: {
    version: 'spot/v1',
    date: '2026-11-28',
    source: 'BingX API docs; JKorf/BingX.Net; ccxt 4.5.84',
  },
};
