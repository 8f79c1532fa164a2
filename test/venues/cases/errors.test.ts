import { expect, it } from 'vitest';
import { describeCases, linesOf, reject } from './case.ts';

/** Answers that are no data, as bug reports have shown them, with words of our own. */

const PAGE = `<!DOCTYPE html>
<html><head><title>Blocked</title></head>
<body><h1>Not from here</h1></body></html>`;

describeCases('answers that are no data', [
  {
    name: 'bingx: a rate limit comes with HTTP 200',
    venue: 'bingx',
    call: '/openApi/swap/v2/quote/premiumIndex?symbol=SOL-USDT',
    payloads: [{ code: 100410, msg: 'Slow down.' }],
    lines: [reject(null, 'error_body', { detail: '100410 Slow down.' })],
  },
  {
    name: 'edgex: a rate limit comes with HTTP 200',
    venue: 'edgex',
    call: '/api/v2/public/quote/getTicker?contractId=9',
    payloads: [{ code: 'RATE_LIMIT_EXCEEDED', data: null }],
    lines: [reject(null, 'error_body', { detail: 'RATE_LIMIT_EXCEEDED' })],
  },
  {
    name: 'edgex: a success without the rows asked for holds nothing',
    venue: 'edgex',
    call: '/api/v2/public/funding/getLatestFundingRate?contractId=9,10',
    payloads: [{ code: 'SUCCESS', data: [], msg: null }],
    lines: [],
  },
  {
    name: 'extended: an error in HTTP 200, with its code and alone',
    venue: 'extended',
    call: '/api/v1/info/markets',
    payloads: [{ status: 'ERROR', error: { code: 7, message: 'busy' } }, { status: 'ERROR' }],
    lines: [
      reject(null, 'error_body', { detail: '7 busy' }),
      reject(null, 'error_body', { detail: 'ERROR' }),
    ],
  },
  {
    name: 'apex: an error in HTTP 200',
    venue: 'apex',
    call: '/api/v3/ticker?symbol=SOLUSDT',
    payloads: [{ code: 2, msg: 'busy' }],
    lines: [reject(null, 'error_body')],
  },
  ...['binance', 'aster'].map((venue) => ({
    name: `${venue}: a page in the place of an answer is no JSON`,
    venue,
    call: '/fapi/v1/premiumIndex',
    payloads: [PAGE],
    lines: [reject(null, 'unexpected_shape', { detail: 'no JSON' })],
  })),
]);

it.each([
  ['bingx', '/openApi/cswap/v1/market/premiumIndex?symbol=ETH-USD'],
  ['hyperliquid', '/info {"type":"predictedFundings"}'],
])('%s: %s is no source, and has no decoder', (venue, call) => {
  expect(linesOf(venue, call, [{ code: 0, data: [] }])).toBeUndefined();
});
