import { simKraken } from '@perpmeter/sim/venues/kraken';
import { describeSimulatedCalls } from '../../../test/venues/simulated-calls.ts';
import { kraken } from './index.ts';

const PATH = '/derivatives/api/v3';

describeSimulatedCalls({
  adapter: kraken,
  sim: simKraken,
  funding: [
    `${PATH}/historical-funding-rates?symbol=*`,
    '/derivatives/api/v4/historicalfundingrates?symbol=*',
  ],
  marks: '/api/charts/v1/mark/*/1h?from=1792300000',
  interest: ['/api/charts/v1/analytics/*/open-interest?since=1792300000&interval=3600'],
  book: `${PATH}/orderbook?symbol=*`,
  singles: [`${PATH}/tickers/*`],
  unknown: `${PATH}/tickers/PF_NONEUSD`,
});
