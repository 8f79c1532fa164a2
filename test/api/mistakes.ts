import { MISTAKES, type Refused } from '../conformance/module-promises.ts';

/** Requests as agents and traders write them by mistake: what is asked, the code of the answer, and the request it names. */

type Accepted = readonly [asked: string, sameAs: string];

const CARRY = '/v1/perp/carry?ticker=BTC';
const HISTORY = '/v1/funding/historical?ticker=BTC';
const SNAPSHOT = '/v1/perp/snapshot?ticker=BTC';
const SCAN = '/v1/perp/arbitrage/funding';
const BEST = '/v1/orderbook/best-execution?ticker=BTC';
const INTEREST = '/v1/perp/open-interest?ticker=BTC&venue=binance';
const DAY = 'from=2026-11-19T08:00:00Z&to=2026-11-20T08:00:00Z';

/** Spellings that say clearly what they mean are answered as it. */
export const ACCEPTED: readonly Accepted[] = [
  [`${HISTORY}&from=1795075200&to=1795161600`, `${HISTORY}&${DAY}`],
  [`${HISTORY}&from=1795075200000&to=1795161600000`, `${HISTORY}&${DAY}`],
  [
    `${HISTORY}&from=1795075200.5&to=2026-11-20`,
    `${HISTORY}&from=2026-11-19T08:00:00Z&to=2026-11-20T00:00:00Z`,
  ],
  [`${HISTORY}&as_of=1795161600`, `${HISTORY}&as_of=2026-11-20T08:00:00Z`],
  ['/v1/perp/carry?ticker=btc', CARRY],
  ['/v1/perp/carry?ticker=BTC-PERP', CARRY],
  ['/v1/perp/open-interest?ticker=BTC&venue=Binance', INTEREST],
  ['/v1/perp/carry?ticker=crypto:BTC', CARRY],
];

const NAMES_OF_PARAMETERS: readonly Refused[] = [
  ['/v1/perp/carry', 'missing_parameter', CARRY],
  ['/v1/perp/carry?symbol=BTC', 'unknown_parameter', CARRY],
  ['/v1/perp/carry?asset=BTC', 'unknown_parameter', CARRY],
  ['/v1/perp/carry?ticker=BTC&symbol=ETH', 'unknown_parameter', CARRY],
  ['/v1/perp/carry?ticker[]=BTC', 'unknown_parameter', CARRY],
  ['/v1/perp/carry?Ticker=BTC', 'unknown_parameter', CARRY],
  [`${CARRY}&foo=1`, 'unknown_parameter', CARRY],
  [`${CARRY}&venues=binance`, 'unknown_parameter', CARRY],
  [`${SNAPSHOT}&exchange=binance`, 'unknown_parameter', `${SNAPSHOT}&venues=binance`],
  [`${SCAN}?exchanges=binance,okx`, 'unknown_parameter', `${SCAN}?venues=binance,okx`],
  [`${SCAN}?venues=binanse,okx`, 'unknown_venue', `${SCAN}?venues=binance,okx`],
  [`${SCAN}?quote=USDTT`, 'invalid_parameter', `${SCAN}?quote=USDT`],
  [`${SCAN}?symbol=bitcoin,ETH`, 'unknown_ticker', `${SCAN}?symbol=BTC,ETH`],
  [`${SCAN}?top=5`, 'unknown_parameter', `${SCAN}?limit=5`],
  [`${INTEREST.replace('venue', 'exchange')}`, 'unknown_parameter', INTEREST],
  ['/v1/perp/open-interest?ticker=BTC', 'missing_parameter', INTEREST],
  [
    '/v1/perp/oi-delta?ticker=BTC&venue=binance&hours=24',
    'unknown_parameter',
    '/v1/perp/oi-delta?ticker=BTC&venue=binance&lookback_hours=24',
  ],
  [
    '/v1/perp/funding-flips?ticker=BTC&lookback_hours=12',
    'unknown_parameter',
    '/v1/perp/funding-flips?ticker=BTC&hours=12',
  ],
  [`${HISTORY}&timeframe=1day`, 'unknown_parameter', `${HISTORY}&aggr=1d`],
  [`${HISTORY}&granularity=4h`, 'unknown_parameter', `${HISTORY}&aggr=4h`],
  [`${HISTORY}&start=2026-11-19T08:00:00Z`, 'unknown_parameter', `${HISTORY}&from=2026-11-19T08:00:00Z`],
  [`${BEST}&notional=5000`, 'unknown_parameter', `${BEST}&size_usd=5000`],
  ['/v1/funding/current?symbol=BTC&page=2', 'unknown_parameter', '/v1/funding/current?symbol=BTC'],
];

const VALUES: readonly Refused[] = [
  ['/v1/perp/carry?ticker=BTC,ETH', 'invalid_parameter', CARRY],
  ['/v1/perp/carry?ticker=["BTC","ETH"]', 'invalid_parameter', CARRY],
  ['/v1/perp/carry?ticker=BTC&ticker=ETH', 'invalid_parameter', CARRY],
  ['/v1/perp/carry?ticker=', 'invalid_parameter', CARRY],
  [`${INTEREST},okx`, 'invalid_parameter', INTEREST],
  ['/v1/orderbook/depth/binance/BTC,ETH', 'invalid_parameter', '/v1/orderbook/depth/binance/BTC'],
  [`${BEST}&size_usd=10k`, 'invalid_parameter', `${BEST}&size_usd=10000`],
  [`${BEST}&size_usd=25000`, 'invalid_parameter', `${BEST}&size_usd=10000`],
  [`${BEST}&size_usd=10,000`, 'invalid_parameter', `${BEST}&size_usd=10000`],
  [`${BEST}&size_usd=$5000`, 'invalid_parameter', `${BEST}&size_usd=5000`],
  [`${BEST}&size_usd=1000,5000`, 'invalid_parameter', `${BEST}&size_usd=1000`],
  [`${BEST}&side=long`, 'invalid_parameter', `${BEST}&side=buy`],
  [`${BEST}&side=SELL`, 'invalid_parameter', `${BEST}&side=sell`],
  [
    '/v1/orderbook/multi-venue-execution?ticker=BTC&split=yes',
    'invalid_parameter',
    '/v1/orderbook/multi-venue-execution?ticker=BTC&split=true',
  ],
  [`${SCAN}?limit=500`, 'invalid_parameter', `${SCAN}?limit=100`],
  [`${SCAN}?limit=all`, 'invalid_parameter', SCAN],
  [`${SCAN}?min_diff=1bp`, 'invalid_parameter', `${SCAN}?min_diff=0.0001`],
  [`${SCAN}?min_diff=0.01%25`, 'invalid_parameter', `${SCAN}?min_diff=0.0001`],
  [`${SCAN}?sort=normalised`, 'invalid_parameter', `${SCAN}?sort=normalized`],
  [`${HISTORY}&aggr=8h`, 'invalid_parameter', `${HISTORY}&aggr=4h`],
  [`${HISTORY}&aggr=60`, 'invalid_parameter', `${HISTORY}&aggr=1h`],
  [`${HISTORY}&from=yesterday`, 'invalid_parameter', HISTORY],
  [`${HISTORY}&from=2026/11/19`, 'invalid_parameter', `${HISTORY}&from=2026-11-19`],
  [`${HISTORY}&from=1764000000`, 'invalid_parameter', `${HISTORY}&from=2026-10-21T22:00:00.000Z`],
  [`${HISTORY}&from=1795075200000000`, 'invalid_parameter', `${HISTORY}&from=1795075200000`],
  [`${HISTORY}&from=2026-11-20T08:00:00Z&to=2026-11-19T08:00:00Z`, 'invalid_parameter', `${HISTORY}&${DAY}`],
  [
    '/v1/perp/funding-flips?ticker=BTC&hours=7d',
    'invalid_parameter',
    '/v1/perp/funding-flips?ticker=BTC&hours=168',
  ],
];

const NAMES_OF_THINGS: readonly Refused[] = [
  ['/v1/perp/carry?ticker=bitcoin', 'unknown_ticker', CARRY],
  ['/v1/perp/carry?ticker=Ethereum', 'unknown_ticker', '/v1/perp/carry?ticker=ETH'],
  ['/v1/perp/carry?ticker=BTCC', 'unknown_ticker', CARRY],
  ['/v1/perp/open-interest?ticker=BTC&venue=binanc', 'unknown_venue', INTEREST],
  ['/v1/perp/open-interest?ticker=binance&venue=BTC', 'unknown_venue', INTEREST],
  ['/v1/orderbook/depth/BTC/binance', 'unknown_venue', '/v1/orderbook/depth/binance/BTC'],
  ['/v1/orderbook/BTC/binance/top', 'unknown_venue', '/v1/orderbook/binance/BTC/top'],
];

const TOP = '/v1/orderbook/binance/BTC/top';

/** Paths that are none; the others are of a path and wrong in their parameters. */
export const NO_PATHS: readonly Refused[] = [
  ['/v1/orderbook/binance/BTC', 'unknown_route', '/v1/orderbook/depth/binance/BTC'],
  ['/v1/orderbook/BTC/binance', 'unknown_route', TOP],
  ['/v1/orderbook/binance/BTC/USDT:USDT/top', 'unknown_route', TOP],
  ['/v1/orderbook/top/binance/BTC', 'unknown_route', TOP],
  ['/v1/orderbook/BTC/top', 'unknown_route', TOP],
  ['/v1/orderbook/binance/BTC/depth', 'unknown_route', TOP],
  ['/v1/perp/liquidations', 'unknown_route', '/v1/perp/open-interest?venue=binance&ticker=BTC'],
  ['/v1/perp/liquidations?ticker=BTC', 'unknown_route', INTEREST],
  ['/v1/funding/current/', 'unknown_route', '/v1/funding/current'],
  ['/v1/Funding/Current', 'unknown_route', '/v1/funding/current'],
  ['/v1/funding_current', 'unknown_route', '/v1/funding/current'],
  ['/funding/current?symbol=BTC', 'unknown_route', '/v1/funding/current?symbol=BTC'],
  ['/api/v2/funding/current', 'unknown_route', '/v1/funding/current'],
  ['/v1/funding/history?ticker=BTC', 'unknown_route', HISTORY],
  ['/v1/funding/spread', 'unknown_route', '/v1/funding/spread/BTC'],
  ['/v1/carry?asset=BTC', 'unknown_route', CARRY],
  ['/v1/perp/open_interest?ticker=BTC&venue=binance', 'unknown_route', INTEREST],
  ['/v1/venues', 'unknown_route', '/v1/venues/list'],
  ['/healthz', 'unknown_route', '/v1/health'],
];

export const WRONG_PARAMETERS: readonly Refused[] = [
  ...NAMES_OF_PARAMETERS,
  ...VALUES,
  ...NAMES_OF_THINGS,
  ...MISTAKES,
];
