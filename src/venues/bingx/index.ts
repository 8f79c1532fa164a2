import { asBps } from '../../domain/units.ts';
import type { Decoder, VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { bingxBackfill } from './backfill.ts';
import { bingxBooks } from './book-feed.ts';
import { decodeDepth } from './books.ts';
import { decodeFrame } from './frames.ts';
import { decodeFundingHistory, decodeMarkCandles } from './history.ts';
import { decodeContracts, TAKER_FEE_BPS } from './instruments.ts';
import { decodeOpenInterest, decodePremiums, decodeTickers } from './metrics.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './wire.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const contracts = call('contracts', /(?:^|\/)swap\/v\d\/quote\/contracts$/, decodeContracts);
const premiums = call('premiumIndex', /(?:^|\/)quote\/premiumIndex$/, decodePremiums);
const tickers = call('ticker', /(?:^|\/)quote\/ticker$/, decodeTickers);
const openInterest = call('openInterest', /(?:^|\/)quote\/openInterest$/, decodeOpenInterest);

const depth = call('depth', /(?:^|\/)quote\/depth$/, decodeDepth);

const frames: VenueCall = {
  name: 'frame',
  matches: matchesText(
    /-USD[TC]?@[A-Za-z]|@(?:incrDepth|depth|markPrice|ticker|bookTicker)|\/swap-market\b|"dataType"/,
  ),
  decode: decodeFrame,
};

/** Of an address and a call, as the answers' own headers count. */
const PER_CALL = { limit: 500, perMs: 10_000 };
const QUOTE = '/openApi/swap/v2/quote';

/** BingX perpetuals of USDT and USDC; evidence in VENUE.md. */
export const bingx: VenueAdapter = {
  id: 'bingx',
  displayName: 'BingX',
  kind: 'cex',
  sourceId: 9,
  takerFeeBps: asBps(TAKER_FEE_BPS),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Equal-weight mean of last prices of outside venues, outliers dropped; the basket is not published',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://open-api.bingx.com', ws: 'wss://open-api-swap.bingx.com' },
  budget: {
    id: 'open-api.bingx.com',
    pools: [
      { name: 'default', ...PER_CALL },
      { name: 'openInterest', ...PER_CALL },
      { name: 'depth', ...PER_CALL },
    ],
  },
  refreshMs: 5000,
  polls: [
    {
      call: contracts,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: `${QUOTE}/contracts` }],
    },
    {
      call: premiums,
      kind: 'quotes',
      everyMs: 5000,
      weight: 1,
      requests: () => [{ method: 'GET', path: `${QUOTE}/premiumIndex` }],
    },
    {
      call: tickers,
      kind: 'quotes',
      everyMs: 10_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: `${QUOTE}/ticker` }],
    },
    {
      call: openInterest,
      kind: 'quotes',
      everyMs: 120_000,
      weight: 1,
      pool: 'openInterest',
      spread: true,
      requests: ({ instruments }) =>
        instruments.map(({ symbol }) => ({
          method: 'GET',
          path: `${QUOTE}/openInterest?symbol=${encodeURIComponent(symbol)}`,
          symbol,
        })),
    },
  ],
  books: bingxBooks(frames, depth, `${QUOTE}/depth`),
  calls: [
    depth,
    call('fundingRate', /(?:^|\/)quote\/fundingRate$/, decodeFundingHistory),
    call('markPriceKlines', /(?:^|\/)market\/markPriceKlines$/, decodeMarkCandles),
    frames,
  ],
  backfill: bingxBackfill,
  baseOf,
};
