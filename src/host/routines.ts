import type { Collector } from '../collect/collector.ts';
import type { Clock } from '../domain/clock.ts';
import type { Market } from '../market/live-table.ts';
import { signalCandidates } from '../products/funding/signal-candidates.ts';
import type { IndexWatch } from '../products/oracles/index-watch.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { repeatInParts } from '../runtime/in-parts.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import type { MarketData } from './collection.ts';
import type { ServiceOptions } from './options.ts';

/** The live table is swept once a second, a twentieth at a time. */
const SWEEP_MS = 50;
const SWEEP_SHARE = 0.05;
const INDEX_LOOK_MS = 1000;
/** The legs of the funding signal change slowly, and to look for them builds every row. */
const CANDIDATES_MS = 15_000;

export interface RoutineParts extends Pick<MarketData, 'market' | 'collector' | 'renameWatch'> {
  readonly indexes: IndexWatch;
  readonly clock: Clock;
  readonly logger: ServiceOptions['logger'];
}

/** Begins what is done every so often, beside what comes in; the timers to end it by. */
export function startRoutines(parts: RoutineParts): readonly NodeJS.Timeout[] {
  const { market, collector, indexes, logger } = parts;
  const warn = (message: string) => (cause: unknown) => logger.warn({ reason: reasonOf(cause) }, message);
  return [
    setInterval(() => sweepPart(parts), SWEEP_MS),
    setInterval(() => indexes.tick(), INDEX_LOOK_MS),
    repeatInParts(
      () => preferCandidates(market, collector),
      CANDIDATES_MS,
      warn('the legs of the funding signal could not be found'),
    ),
    setInterval(() => warnOfRenames(parts), MINUTE_MS),
  ];
}

/** The books of what the funding signal would show are followed before they are asked for. */
function* preferCandidates(market: Market, collector: Collector): Generator<undefined> {
  for (const [venue, symbols] of yield* signalCandidates(market.view)) collector.preferBooks(venue, symbols);
}

/** A disk that takes no identities must not end the service: what could not be saved is saved with the next. */
function sweepPart({ market, logger }: RoutineParts): void {
  try {
    market.sweepPart(SWEEP_SHARE);
  } catch (cause) {
    logger.warn({ reason: reasonOf(cause) }, 'the live table could not be swept in full');
  }
}

/** A rename that nobody has noted cuts a coin in two: the operator can merge both. */
function warnOfRenames({ market, renameWatch, clock, logger }: RoutineParts): void {
  for (const { venue, ended, appeared, priceRatio } of renameWatch.look(market.view, clock.now())) {
    const contracts = { ended: ended.symbol, was: ended.canonicalId, appeared: appeared.symbol };
    logger.warn(
      { venue, ...contracts, is: appeared.canonicalId, priceRatio },
      'a large contract of an unknown name appeared as a known one ended: it may be renamed',
    );
  }
}
