import { ticker } from '../../../test/conformance/contract-parameters.ts';
import type { Shape } from '../../../test/conformance/contract-shape.ts';
import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const parts = {
  note: 'string',
  count: 'integer',
  parts: [
    {
      path: 'string',
      status: 'integer',
      as_of: 'timestamp',
      error: { code: 'string', title: 'string', detail: 'string' },
      answer: {},
    },
  ],
} as const satisfies Shape;

const ASSET = '/v1/bundles/asset?ticker=BTC';
const PAIR = '/v1/bundles/pair?ticker=BTC';

export const promises: ModulePromises = {
  endpoints: [
    {
      path: '/v1/bundles/asset',
      usd: '0.04',
      query: {
        ticker,
        span: { type: 'string', default: '3d', enum: ['3d', '7d', '30d'] },
        history_venues: { type: 'string' },
      },
      decided: { history_venues: ['string'], ...parts },
    },
    {
      path: '/v1/bundles/pair',
      usd: '0.10',
      query: {
        ticker,
        short: { type: 'string' },
        long: { type: 'string' },
        size_usd: { type: 'integer', default: 10_000, enum: [1000, 5000, 10_000] },
      },
      decided: { short: 'string', long: 'string', ...parts },
    },
    {
      path: '/v1/bundles/matrix',
      usd: '0.005',
      query: {
        asset_class: {
          type: 'string',
          enum: ['crypto', 'equity', 'index', 'commodity', 'fx', 'etf', 'prelaunch', 'unknown'],
        },
      },
      decided: parts,
    },
  ],
  mistakes: [
    [`${ASSET}&span=14d`, 'invalid_parameter', `${ASSET}&span=7d`],
    [`${PAIR}&size_usd=50000`, 'invalid_parameter', `${PAIR}&size_usd=10000`],
    [`${PAIR}&short=okx`, 'invalid_parameter', PAIR],
    [`${ASSET},ETH`, 'invalid_parameter', ASSET],
    [`${PAIR},`, 'invalid_parameter', PAIR],
  ],
};
