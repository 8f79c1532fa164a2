import type { Instrument } from '../../domain/instrument.ts';
import { CHAINED, type Continuity } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { booksScanner } from './book-frames.ts';

/** Levels of the REST book where no number is asked for. */
const REST_LEVELS = 100;
const SHALLOW_LEVELS = 15;

type Rule = Continuity['checkDelta'];

/** A change that names none before it comes after the venue has begun to count again. */
const named =
  (rule: Rule): Rule =>
  (last, stamps) =>
    Number.isNaN(stamps.previousSequence) ? 'gap' : rule(last, stamps);

/** Snapshots and changes are numbered alike, so that the first change behind a snapshot names it. */
const continuity: Continuity = {
  ...CHAINED,
  checkDelta: named(CHAINED.checkDelta),
  checkFirstDelta: named(CHAINED.checkDelta),
};

const productOf = ({ quote }: Instrument): string => (quote === 'USDC' ? 'usdc-futures' : 'usdt-futures');

/** Topics are `usdt-futures BTCUSDT`: a subscription names the product too. */
const frame = (op: string) => (topics: readonly string[]) => {
  const args = topics.map((topic) => {
    const [instType, symbol] = topic.split(' ');
    return { instType, topic: 'books', symbol };
  });
  return [JSON.stringify({ op, args })];
};

const pathOf = (one: Instrument): string => {
  const product = productOf(one).toUpperCase();
  const symbol = encodeURIComponent(one.symbol);
  return `/api/v2/mix/market/merge-depth?symbol=${symbol}&productType=${product}&precision=scale0`;
};

/**
 * `books` of the unified (v3) socket: all levels first, then changes each 150 ms; the `pseq` of each is the `seq`
 * before. The REST book is not numbered: it is compared, never joined.
 *
 * @param frames decoder of the socket's frames
 * @param mergeDepth decoder of the REST book
 */
export function bitgetBooks(frames: VenueCall, mergeDepth: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity,
    stream: {
      base: 'ws',
      path: '/v3/ws/public',
      call: frames,
      topicOf: (one) => `${productOf(one)} ${one.symbol}`,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // 1000 channels are allowed, 50 are advised; 240 subscriptions an hour and 10 messages a second.
      topicsPerConnection: 50,
      topicsPerFrame: 10,
      framesPerSecond: 5,
      maxConnections: 4,
      compression: 'none',
      // The connection ends after two minutes without one.
      keepAlive: { everyMs: 25_000, frame: () => 'ping' },
      silenceMs: 30_000,
      scanner: booksScanner,
    },
    rest: {
      call: mergeDepth,
      request: (one) => ({ method: 'GET', path: pathOf(one), symbol: one.symbol }),
      weight: 1,
      pool: 'merge-depth',
      levels: REST_LEVELS,
      shallow: {
        request: (one) => ({
          method: 'GET',
          path: `${pathOf(one)}&limit=${SHALLOW_LEVELS}`,
          symbol: one.symbol,
        }),
        weight: 1,
        levels: SHALLOW_LEVELS,
      },
      budgetShare: 0.4,
    },
  };
}
