import type { SpotAnswer } from './answer.ts';

/** A single order, of which a part may have been traded. */
const order = (price: string, initial: string, remaining: string) => ({
  order_index: 281_475_565_888_172,
  order_id: '281475565888172',
  owner_account_index: 134_436,
  initial_base_amount: initial,
  remaining_base_amount: remaining,
  price,
  order_expiry: 1_798_459_200_000,
});

export const lighterAnswers: readonly SpotAnswer[] = [
  {
    venue: 'lighter',
    url: '/api/v1/orderBookDetails?filter=spot',
    payload: {
      code: 200,
      order_book_details: [],
      spot_order_book_details: [
        {
          symbol: 'ETH/USDC',
          market_id: 2048,
          market_type: 'spot',
          status: 'active',
          taker_fee: '0.0000',
          min_base_amount: '0.002',
          min_quote_amount: '5',
          size_decimals: 3,
          price_decimals: 2,
          last_trade_price: 2500,
          daily_base_token_volume: 1000,
          daily_quote_token_volume: 2_500_000,
        },
      ],
    },
  },
  {
    venue: 'lighter',
    url: '/api/v1/orderBookOrders?market_id=2048&limit=250',
    payload: {
      code: 200,
      total_asks: 2,
      asks: [order('2500.20', '3.0000', '0.7500'), order('2500.40', '1.0000', '1.0000')],
      total_bids: 3,
      bids: [
        order('2500.00', '2.0000', '0.5000'),
        order('2500.00', '0.2500', '0.2500'),
        order('2499.90', '4.0000', '4.0000'),
      ],
    },
  },
];
