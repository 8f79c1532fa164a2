import { simHtx } from '@perpmeter/sim/venues/htx';
import { describeSimulatedCalls } from '../../../test/venues/simulated-calls.ts';
import { htx } from './index.ts';

const PATH = '/linear-swap-api/v1';

describeSimulatedCalls({
  adapter: htx,
  sim: simHtx,
  funding: [
    `${PATH}/swap_historical_funding_rate?contract_code=*&page_index=1&page_size=50`,
    `${PATH}/swap_historical_funding_rate?contract_code=*&page_index=2&page_size=50`,
    '/v5/market/funding_rate_history?contract_code=*&limit=50',
  ],
  marks: '/index/market/history/linear_swap_mark_price_kline?contract_code=*&period=60min&size=50',
  interest: [
    `${PATH}/swap_his_open_interest?contract_code=*&period=60min&amount_type=1&size=50`,
    `${PATH}/swap_his_open_interest?contract_code=*&period=60min&amount_type=2&size=50`,
  ],
  book: '/linear-swap-ex/market/depth?contract_code=*&type=step6',
  singles: [
    `${PATH}/swap_funding_rate?contract_code=*`,
    '/v5/market/funding_rate?contract_code=*',
    '/v5/market/open_interest?contract_code=*',
    '/linear-swap-ex/market/detail/merged?contract_code=*',
    '/index/market/history/linear_swap_mark_price_kline?contract_code=*&period=1min&size=1',
  ],
  unknown: `${PATH}/swap_open_interest?contract_code=NONE-USDT`,
});
