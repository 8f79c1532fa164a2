import { type EventFrameCase, T } from './frame-case.ts';

const fill = (more: Record<string, unknown>) => ({
  coin: 'SOL',
  px: '150',
  sz: '2',
  side: 'A',
  time: T,
  crossed: true,
  tid: 31,
  ...more,
});

/** Venues whose liquidations are of accounts: auctions, claims and fills of an address. No address is kept. */
export const ADDRESSED_FRAMES: readonly EventFrameCase[] = [
  {
    venue: 'orderly',
    when: 'a push of open liquidations: no price, a claim is none',
    payload: {
      topic: 'liquidation',
      ts: T + 90_000_000,
      data: [
        {
          liquidationId: 3,
          timestamp: T,
          type: 'liquidated',
          positionsByPerp: [
            { symbol: 'PERP_SOL_USDC', positionQty: 2, liquidatorFee: 0.01 },
            { symbol: 'PERP_ETH_USDC', positionQty: -1, liquidatorFee: 0.01 },
          ],
        },
        {
          liquidationId: 4,
          timestamp: T,
          type: 'claim',
          positionsByPerp: [{ symbol: 'PERP_SOL_USDC', positionQty: 2 }],
        },
      ],
    },
    liquidations: [
      {
        symbol: 'PERP_SOL_USDC',
        side: 'long',
        priceKind: 'none',
        unknownValue: 'no_price',
        time: T,
        id: '3/PERP_SOL_USDC',
      },
      { symbol: 'PERP_ETH_USDC', side: 'short' },
    ],
    rejects: ['claim'],
  },
  {
    venue: 'orderly',
    when: 'the Public Info API: the stated value, at the mark',
    path: '/v1/public/query',
    payload: {
      success: true,
      data: {
        rows: [
          {
            symbol: 'PERP_SOL_USDC',
            side: 'SHORT',
            position_qty: '-2',
            notional: '301',
            mark_price: '150',
            timestamp: T,
            address: '0x1',
            account_id: '0x2',
          },
        ],
        next_cursor: null,
      },
    },
    liquidations: [{ side: 'short', sizeBase: 2, sizeUsd: 301, priceKind: 'mark' }],
  },
  {
    venue: 'orderly',
    when: 'a trade: the time of its frame, and no id',
    payload: {
      topic: 'PERP_SOL_USDC@trade',
      ts: T,
      data: { symbol: 'PERP_SOL_USDC', price: 150, size: 2, side: 'SELL' },
    },
    trades: [{ takerSide: 'sell', time: T, sizeUsd: 300 }],
  },
  {
    venue: 'orderly',
    when: 'an answer of trades',
    path: '/v1/public/market_trades?symbol=PERP_SOL_USDC',
    payload: {
      success: true,
      data: {
        rows: [
          {
            symbol: 'PERP_SOL_USDC',
            side: 'BUY',
            executed_price: 150,
            executed_quantity: 2,
            executed_timestamp: String(T),
          },
        ],
      },
    },
    trades: [{ takerSide: 'buy', time: T }],
  },
  {
    venue: 'derive',
    when: 'an auction: each perpetual that a bid took, without a price',
    path: 'public/get_liquidation_history',
    payload: {
      result: {
        auctions: [
          {
            auction_id: 'a',
            auction_type: 'solvent',
            subaccount_id: 7,
            bids: [
              {
                timestamp: T,
                tx_hash: '0xab',
                percent_liquidated: '0.5',
                amounts_liquidated: { 'ETH-PERP': '-3', 'ETH-20261225-3000-C': '1' },
              },
            ],
          },
        ],
      },
    },
    liquidations: [
      { symbol: 'ETH-PERP', side: 'short', sizeBase: 3, priceKind: 'none', id: '0xab/ETH-PERP' },
    ],
    rejects: ['option'],
  },
  {
    venue: 'derive',
    when: 'two rows of one trade and a quote on request: the row of the taker',
    payload: {
      params: {
        channel: 'trades.perp.ETH',
        data: [
          {
            trade_id: 'd1',
            instrument_name: 'ETH-PERP',
            timestamp: T,
            trade_price: '2000',
            trade_amount: '2',
            direction: 'buy',
            liquidity_role: 'maker',
            quote_id: null,
          },
          {
            trade_id: 'd1',
            instrument_name: 'ETH-PERP',
            timestamp: T,
            trade_price: '2000',
            trade_amount: '2',
            direction: 'sell',
            liquidity_role: 'taker',
            quote_id: null,
          },
          {
            trade_id: 'd2',
            instrument_name: 'ETH-PERP',
            timestamp: T,
            trade_price: '2000',
            trade_amount: '2',
            direction: 'sell',
            liquidity_role: 'taker',
            quote_id: 'q',
          },
        ],
      },
    },
    trades: [{ takerSide: 'sell', id: 'd1', sizeUsd: 4000 }],
    rejects: ['maker_row', 'off_book'],
  },
  {
    venue: 'hyperliquid',
    when: 'trades of the main dex: another dex is another venue',
    payload: {
      channel: 'trades',
      data: [
        { coin: 'kPEPE', side: 'B', px: '0.02', sz: '1000', time: T, tid: 5, users: ['0x1', '0x2'] },
        { coin: 'xyz:NVDA', side: 'A', px: '180', sz: '1', time: T, tid: 6 },
      ],
    },
    trades: [{ symbol: 'kPEPE', takerSide: 'buy', sizeBase: 1_000_000, sizeUsd: 20, id: '5' }],
    rejects: ['not_listed'],
  },
  {
    venue: 'hyperliquid-xyz',
    when: 'trades of a builder market',
    payload: {
      channel: 'trades',
      data: [{ coin: 'xyz:NVDA', side: 'A', px: '180', sz: '1', time: T, tid: 6 }],
    },
    trades: [{ symbol: 'xyz:NVDA', takerSide: 'sell', sizeUsd: 180 }],
  },
  {
    venue: 'hyperliquid',
    when: 'fills of one address: the liquidated is the taker, whoever is asked',
    payload: {
      channel: 'user',
      data: {
        fills: [
          fill({ liquidation: { method: 'market' } }),
          fill({ tid: 32, crossed: false, liquidation: { method: 'market' } }),
          fill({ tid: 33 }),
        ],
      },
    },
    liquidations: [
      { side: 'long', id: '31' },
      { side: 'short', id: '32' },
    ],
    rejects: ['not_listed'],
  },
  {
    venue: 'hyperliquid',
    when: 'a node writes each trade twice: the side that crossed',
    payload: {
      block_number: 1,
      events: [
        ['0x1', fill({ liquidation: { method: 'market' } })],
        ['0x2', fill({ side: 'B', crossed: false })],
      ],
    },
    liquidations: [{ side: 'long' }],
    trades: [{ takerSide: 'sell', liquidated: 'long' }],
    rejects: ['maker_row'],
  },
];
