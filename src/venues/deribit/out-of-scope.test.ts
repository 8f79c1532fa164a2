import { describeOutOfScope, LEVELS } from '../../../test/venues/out-of-scope.ts';
import { deribit } from './index.ts';

describeOutOfScope(deribit, {
  ours: 'BTC_USDC-PERPETUAL',
  outOfScope: {
    'BTC-PERPETUAL': 'inverse',
    'BTC-25DEC26': 'dated',
    'BTC_USDC-25DEC26': 'dated',
    'XRP_USDC-25DEC26-0d625-C': 'option',
    BTC_USDC: 'spot',
    'BTC-FS-25DEC26_PERP': 'not_listed',
  },
  calls: (name) => {
    const book = { instrument_name: name, ...LEVELS, change_id: 1, mark_price: 100 };
    const push = (channel: string, data: object) => ({ method: 'subscription', params: { channel, data } });
    return [
      [`/api/v2/public/ticker?instrument_name=${name}`, { result: book }],
      [`/api/v2/public/get_order_book?instrument_name=${name}`, { result: book }],
      [`/api/v2/public/get_funding_rate_history?instrument_name=${name}`, { result: [{ interest_1h: 0 }] }],
      [`/api/v2/public/get_funding_rate_value?instrument_name=${name}`, { result: 0 }],
      [`book.${name}.100ms`, push(`book.${name}.100ms`, book)],
      [`ticker.${name}.100ms`, push(`ticker.${name}.100ms`, book)],
      [`perpetual.${name}.100ms`, push(`perpetual.${name}.100ms`, { interest: 0 })],
      [`quote.${name}`, push(`quote.${name}`, { instrument_name: name })],
    ];
  },
});
