import { simBingx } from '@perpmeter/sim/venues/bingx';
import { describeSimulatedCalls } from '../../../test/venues/simulated-calls.ts';
import { bingx } from './index.ts';

const PATH = '/openApi/swap/v2/quote';

describeSimulatedCalls({
  adapter: bingx,
  sim: simBingx,
  funding: [`${PATH}/fundingRate?symbol=*&limit=50`],
  marks: '/openApi/swap/v1/market/markPriceKlines?symbol=*&interval=1h&limit=50',
  book: `${PATH}/depth?symbol=*&limit=50`,
  singles: [`${PATH}/premiumIndex?symbol=*`, `${PATH}/ticker?symbol=*`, `${PATH}/openInterest?symbol=*`],
  unknown: `${PATH}/premiumIndex?symbol=NONE-USDT`,
});
