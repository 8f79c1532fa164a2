import { expect, it } from 'vitest';
import { asMs } from '../../../src/domain/units.ts';
import { createContract, fieldValue, mergePatch } from '../../../src/market/contract.ts';
import { dydx } from '../../../src/venues/dydx/index.ts';
import { pacifica } from '../../../src/venues/pacifica/index.ts';
import { contract as listed, rigOf } from '../../books/book-rig.ts';
import { decodeCall } from '../decode-call.ts';
import { contract, describeCases, quote, reject } from './case.ts';

/** Open interest, volume, touches and books as bug reports have shown them to be misread, with figures of our own. */

const okxInterest = (base: string, more: object) => ({
  code: '0',
  data: [{ instId: `${base}-USDT-SWAP`, instType: 'SWAP', ts: '1728709646117', ...more }],
});

const LOTS = {
  code: '200000',
  data: [
    {
      symbol: 'SOLUSDTM',
      type: 'FFWCSX',
      baseCurrency: 'SOL',
      quoteCurrency: 'USDT',
      settleCurrency: 'USDT',
      multiplier: 0.1,
      isInverse: false,
      status: 'Open',
      fundingFeeRate: 0.0001,
      openInterest: '40',
      fundingRateGranularity: 28_800_000,
      turnoverOf24h: 3000,
      volumeOf24h: 20,
      markPrice: 150,
      indexPrice: 150.1,
      nextFundingRateDateTime: 1_752_854_400_000,
    },
  ],
};
const BIDS = [
  ['149.9', '25'],
  ['149.8', '10'],
];
const ASKS = [['150.1', '5']];
const book = (symbol: string, more: object) => ({ type: 'book', symbol, kind: 'snapshot', ...more });

describeCases('amounts and books', [
  {
    name: 'okx: contracts, coins and dollars of a coin of thousands',
    venue: 'okx',
    call: '/api/v5/public/open-interest?instType=SWAP',
    payloads: [okxInterest('TURBO', { oi: '3000', oiCcy: '30000000', oiUsd: '90000.5' })],
    lines: [
      quote('TURBO-USDT-SWAP', {
        open_interest_raw: 3000,
        open_interest_base: 30_000_000,
        open_interest_usd: 90_000.5,
      }),
    ],
  },
  {
    name: 'okx: coins stand beside contracts where no dollars do',
    venue: 'okx',
    call: '/api/v5/public/open-interest?instType=SWAP',
    payloads: [okxInterest('ETH', { oi: '500', oiCcy: '50' })],
    lines: [quote('ETH-USDT-SWAP', { open_interest_base: 50, open_interest_usd: null })],
  },
  {
    name: 'phemex: a field with the suffix of a value counts coins',
    venue: 'phemex',
    call: '/md/v2/ticker/24hr?symbol=ETHUSDT',
    payloads: [
      {
        error: null,
        id: 0,
        result: {
          symbol: 'ETHUSDT',
          timestamp: 1_729_114_921_000_000_000,
          markPriceRp: '2600',
          indexPriceRp: '2601',
          closeRp: '2600',
          fundingRateRr: '0.0002',
          predFundingRateRr: '0.0003',
          openInterestRv: '120.5',
          turnoverRv: '26000',
          volumeRq: '10',
        },
      },
    ],
    lines: [
      quote('ETHUSDT', {
        open_interest_base: 120.5,
        open_interest_usd: 313_300,
        volume_24h_base: 10,
        volume_24h_usd: 26_000,
        funding_rate: 0.0002,
      }),
    ],
  },
  {
    name: 'bingx: open interest of a coin-margined contract is inverse',
    venue: 'bingx',
    call: '/openApi/swap/v2/quote/openInterest?symbol=ETH-USD',
    payloads: [{ code: 0, data: [{ symbol: 'ETH-USD', openInterest: '40.5', time: 1_787_300_000_000 }] }],
    lines: [reject('ETH-USD', 'inverse')],
  },
  {
    name: 'kucoin: a list of contracts states their size',
    venue: 'kucoin',
    call: '/api/v1/contracts/active',
    payloads: [LOTS],
    lines: [
      quote('SOLUSDTM', { open_interest_raw: 40, open_interest_base: 4, volume_24h_base: 20 }),
      contract('SOLUSDTM', { contract_size: 0.1 }),
    ],
  },
  {
    name: 'kucoin: sizes of the book count lots',
    venue: 'kucoin',
    call: '/api/v1/level2/snapshot?symbol=SOLUSDTM',
    listed: ['/api/v1/contracts/active', LOTS],
    payloads: [
      {
        code: '200000',
        data: { sequence: 7, symbol: 'SOLUSDTM', bids: BIDS, asks: ASKS, ts: 1_752_850_000_000_000_000 },
      },
    ],
    lines: [
      book('SOLUSDTM', {
        bids: [
          [149.9, 2.5],
          [149.8, 1],
        ],
        sequence: 7,
        updated_at: '2025-07-18T14:46:40.000Z',
      }),
    ],
  },
  {
    name: 'kucoin: the book of the unified account counts lots as well',
    venue: 'kucoin',
    call: '/api/ua/v1/market/orderbook?limit=FULL&symbol=SOLUSDTM&tradeType=FUTURES',
    listed: ['/api/v1/contracts/active', LOTS],
    payloads: [
      {
        code: '200000',
        data: {
          sequence: 9,
          symbol: 'SOLUSDTM',
          tradeType: 'FUTURES',
          bids: BIDS,
          asks: ASKS,
          ts: 1_752_850_000_000_000_000,
        },
      },
    ],
    lines: [book('SOLUSDTM', { asks: [[150.1, 0.5]], sequence: 9, updated_at: '2025-07-18T14:46:40.000Z' })],
  },
  {
    name: 'lighter: no touch, an empty book, and a frame of spot markets',
    venue: 'lighter',
    call: 'wss://mainnet.zklighter.elliot.ai/stream ticker/7, order_book/7',
    payloads: [
      {
        channel: 'ticker:7',
        nonce: 5,
        timestamp: 1_778_138_582_640,
        type: 'subscribed/ticker',
        ticker: { a: { price: '', size: '' }, b: { price: '', size: '' }, last_updated_at: 0, s: 'XRP' },
      },
      {
        channel: 'order_book:7',
        offset: 1,
        timestamp: 1_778_138_582_602,
        type: 'subscribed/order_book',
        order_book: { asks: [], bids: [], begin_nonce: 0, nonce: 0, offset: 1, code: 0 },
      },
      {
        channel: 'spot_market_stats:all',
        timestamp: 1_778_138_582_900,
        type: 'update/spot_market_stats',
        spot_market_stats: { '2049': { symbol: 'ETH/USDC', market_id: 2049, mid_price: '2500' } },
      },
    ],
    lines: [reject('XRP', 'placeholder'), book('7', { bids: [], asks: [] }), reject(null, 'spot')],
  },
  {
    name: 'lighter: sides that are null hold nothing',
    venue: 'lighter',
    call: '/api/v1/orderBookOrders?market_id=7&limit=250',
    payloads: [{ code: 200, message: null, asks: null, bids: null, offset: 1, nonce: 0 }],
    lines: [book('7', { bids: [], asks: [] })],
  },
]);

it('pacifica: an older touch does not replace the newer one', () => {
  const touch = (bid: string, ask: string, t: number) => ({
    channel: 'bbo',
    data: { s: 'SOL', i: 2, li: t, t, b: bid, B: '1', a: ask, A: '2' },
  });
  const state = createContract(listed('pacifica', 'SOL'));
  const received = asMs(1_789_249_861_500);
  for (const frame of [touch('149', '150', 1_789_249_861_031), touch('120', '121', 1_789_249_861_000)])
    for (const patch of decodeCall(pacifica, 'bbo', frame).quotes) mergePatch(state, patch, received);
  expect(fieldValue(state, 'bestBid', received)).toBe(149);
  expect(fieldValue(state, 'bestAsk', received)).toBe(150);
});

it('dydx: a book that crosses loses the level of its older side', () => {
  const frame = (id: number, type: string, contents: unknown) =>
    JSON.stringify({
      type,
      connection_id: 'c',
      message_id: id,
      id: 'SOL-USD',
      channel: 'v4_orderbook',
      version: '1.0.0',
      contents,
    });
  const rig = rigOf(dydx, 'SOL-USD');
  const bids = [{ price: '149.0', size: '1' }];
  const asks = [
    { price: '149.3', size: '2' },
    { price: '150.0', size: '1' },
  ];
  rig.push(frame(1, 'subscribed', { bids, asks }));
  rig.push(frame(2, 'channel_batch_data', [{ bids: [['149.5', '3']] }]));
  expect(rig.levels('SOL-USD')).toEqual({
    bids: [
      [149.5, 3],
      [149, 1],
    ],
    asks: [[150, 1]],
  });
});
