import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { errorText } from '../../../venues/error-text.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { field, price } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { baseDecimals, inBase, inQuote, priceDecimals, tick } from '../../../venues/grammar/terms.ts';
import { isStated } from '../../../venues/quote-field.ts';
import { bookSnapshot } from '../grammar/books.ts';
import { baseVolume, readFeeBps, size } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import type { SpelledPair } from '../grammar/pairs.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import { ownNames, type SpotVenue, spotCall } from '../spot-venue.ts';

const KEY = 'answer:key';

/** The rows of the object of an answer, each with its key; errors come with HTTP 200, as a list of texts. */
const keyed: RowsOf = (payload, out) => {
  if (!isWire(payload)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no object' });
    return [];
  }
  const errors: readonly unknown[] = Array.isArray(payload.error) ? payload.error : [];
  // `W` begins a warning, which stands beside a result.
  const error = errors.find((text) => !String(text).startsWith('W'));
  if (error !== undefined) {
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(error, '') });
    return [];
  }
  if (!isWire(payload.result)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no rows' });
    return [];
  }
  return Object.entries(payload.result).map(([key, row]) => (isWire(row) ? { ...row, [KEY]: key } : row));
};

/** Own names of assets, by the venue's list. */
const ASSETS: Readonly<Record<string, string>> = {
  XBT: 'BTC',
  XDG: 'DOGE',
  LUNA: 'LUNC',
  LUNA2: 'LUNA',
  UST: 'USTC',
  REPV2: 'REP',
};
const assetOf = (name: string): string => ASSETS[name] ?? name;

/** The readable name, `XBT/USD`: keys and asset ids have prefixes of an older time. */
const shown = (raw: unknown): SpelledPair | undefined => separated('/')(readText(raw) ?? '');

/** The first row of the table of fees is that of the least volume; its second cell is the fee. */
const firstFee = ({ fees }: Wire): unknown => {
  const [first] = Array.isArray(fees) ? fees : [fees];
  return Array.isArray(first) ? first[1] : first;
};

const MARKET: MarketTable = {
  venue: 'kraken',
  symbol: KEY,
  leftOut: (wire, symbol) => {
    if (wire.aclass_base === 'tokenized_asset') return 'tokenized_share';
    if (symbol.includes(':') || symbol.endsWith('.d')) return 'placeholder';
    return (wire.status ?? 'online') === 'online' ? undefined : 'not_trading';
  },
  base: field('wsname', (raw) => shown(raw)?.base),
  quote: field('wsname', (raw) => shown(raw)?.quote),
  assetOf,
  fields: {
    // Rows of earlier years have the number of decimals alone.
    tick: {
      ...tick('tick_size'),
      raw: (wire) => wire.tick_size ?? wire.pair_decimals,
      read: (raw, row) =>
        row.wire.tick_size === undefined || row.wire.tick_size === null
          ? priceDecimals('').read(raw, row)
          : tick('').read(raw, row),
    },
    lot: baseDecimals('lot_decimals'),
    minSize: inBase('ordermin'),
    minQuote: inQuote('costmin'),
    takerFeeBps: { name: 'fees', raw: firstFee, read: (raw) => readFeeBps(raw, 100) },
    canShort: field('leverage_sell', (raw) => (Array.isArray(raw) ? raw.length > 0 : undefined)),
  },
};

/** One cell of a list. */
const cell = (name: string, at: number) => (wire: Wire) => {
  const cells = wire[name];
  return Array.isArray(cells) ? cells[at] : cells;
};

/** The value of the last 24 hours: what was traded times its mean price. */
const turnover = (wire: Wire): number | undefined => {
  const traded = readNumber(cell('v', 1)(wire));
  const mean = readNumber(cell('p', 1)(wire));
  return traded === undefined || mean === undefined || traded < 0 || mean < 0 ? undefined : traded * mean;
};

const decodeTickers = tickers(keyed, {
  symbol: KEY,
  spell: () => undefined,
  leftOut: (_, symbol) => (symbol.includes(':') ? 'placeholder' : undefined),
  fields: {
    bestBid: { ...price('b'), raw: cell('b', 0) },
    // The second cell counts whole lots.
    bestBidSize: { ...size('b'), raw: cell('b', 2) },
    bestAsk: { ...price('a'), raw: cell('a', 0) },
    bestAskSize: { ...size('a'), raw: cell('a', 2) },
    lastPrice: { ...price('c'), raw: cell('c', 0) },
    // The first cell is of the day since midnight.
    volume24hBase: { ...baseVolume('v'), raw: cell('v', 1) },
    volume24hQuote: {
      name: 'p',
      raw: cell('p', 1),
      read: (raw, { wire }) => (isStated(raw) || raw === 0 || raw === '0' ? turnover(wire) : undefined),
    },
  },
});

export const kraken: SpotVenue = {
  id: 'kraken',
  takerFeeBps: asBps(40),
  ownNames: ownNames(ASSETS),
  calls: [
    spotCall('/0/public/AssetPairs', marketList(keyed, MARKET)),
    spotCall('/0/public/Ticker', decodeTickers),
    spotCall(
      '/0/public/Depth',
      bookSnapshot(
        keyed,
        (wire) => readText(wire[KEY]),
        () => undefined,
        {
          bids: arrayLevels('bids'),
          asks: arrayLevels('asks'),
        },
      ),
    ),
  ],
  evidence: {
    tickers: {
      said: '`Ticker`: first and third cell of `b` and `a`, second of `v` (24 h, base) times second of `p` (mean price), no time (recorded 2025-11)',
      confidence: 'high',
    },
    fee: { said: 'first row of `fees`, percent: 0.40 (recorded 2025-11)', confidence: 'high' },
    borrow: { said: 'no call; a help page states up to 0.02 % each four hours', confidence: 'low' },
  },
  verified: {
    version: '0',
    date: '2026-11-28',
    source: 'Kraken API docs; nautechsystems/nautilus_trader; ccxt 4.5.84',
  },
};
