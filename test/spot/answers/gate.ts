import { AT, type SpotAnswer } from './answer.ts';

const gateMarket = (base: string, quote: string, base_name: string, trade_status = 'tradable') => ({
  id: `${base}_${quote}`,
  base,
  base_name,
  quote,
  fee: '0.2',
  min_base_amount: '0.002',
  min_quote_amount: '3',
  amount_precision: 3,
  precision: 2,
  trade_status,
  type: 'normal',
});

export const gateAnswers: readonly SpotAnswer[] = [
  {
    venue: 'gate',
    url: '/api/v4/spot/currency_pairs',
    payload: [
      gateMarket('BTC', 'USDT', 'Bitcoin'),
      gateMarket('ETH5S', 'USDT', 'ETH5xShort'),
      gateMarket('AAPLX', 'USDT', 'Apple xStock'),
      gateMarket('GONE', 'USDT', 'Gone', 'sellable'),
      gateMarket('BTC', 'GUSD', 'Bitcoin'),
    ],
  },
  {
    venue: 'gate',
    url: '/api/v4/spot/tickers',
    payload: [
      {
        currency_pair: 'BTC_USDT',
        last: '50000',
        lowest_ask: '50001',
        lowest_size: '1.5',
        highest_bid: '49999',
        highest_size: '2',
        base_volume: '1000',
        quote_volume: '50000000',
      },
      { currency_pair: 'BTC_GUSD', last: '50000', lowest_ask: '', base_volume: 'nan', quote_volume: '7' },
      { currency_pair: 'BTC3L_USDT', last: '2', etf_net_value: '2.1', etf_leverage: '3' },
    ],
  },
  {
    venue: 'gate',
    url: '/api/v4/unified/history_loan_rate?currency=BTC&limit=1',
    payload: { currency: 'BTC', tier: '0', rates: [{ time: AT, rate: '0.00001' }] },
  },
  {
    venue: 'gate',
    url: '/api/v4/unified/currencies',
    payload: [
      {
        name: 'BTC',
        user_max_borrow_amount: '1000000',
        total_max_borrow_amount: '3000000',
        loan_status: 'enable',
      },
      { name: 'OLD', user_max_borrow_amount: '1000', loan_status: 'disable' },
    ],
  },
];
