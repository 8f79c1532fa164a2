import type { SpotAnswer } from './answer.ts';

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
];
