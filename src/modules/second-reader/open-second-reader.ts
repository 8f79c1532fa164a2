import { join } from 'node:path';
import { isCcxtInstalled } from '../../collect/ccxt/load-module.ts';
import { INCIDENTS } from '../../host/incident-board.ts';
import type { Host, OpenModule } from '../../host/module.ts';
import { startChild } from '../../host/process/child.ts';
import { PREVIEW_ASSETS } from '../../products/rows/preview-assets.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { fill } from '../../runtime/port.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { CCXT_PROGRAM } from './ccxt/program.ts';
import { SecondProcess } from './ccxt/second-process.ts';
import { QualityDays } from './counts/quality-days.ts';
import { openQualityStore } from './counts/quality-store.ts';
import { secondReaderMetrics } from './metrics.ts';
import { MEASURED } from './port.ts';
import { SecondReading } from './second-reading.ts';

export interface SecondReaderChoices {
  /** Time between two looks at a major asset's contract, ms; 0 = venues are asked nothing a second time. */
  readonly everyMs: number;
  readonly readsByCcxt: boolean;
}

/** Counts that are not written yet are lost with the process; the store itself writes once a minute. */
const WRITE_MS = SECOND_MS;

/** Opens the counts, and wires the readers; venues are asked where this process collects. */
export function openSecondReader(host: Host, choices: SecondReaderChoices): OpenModule {
  const { clock, logger, options } = host;
  const counts = new QualityDays(openQualityStore(join(options.dataDir, 'quality')));
  const ccxt = new SecondProcess({
    start: () => startChild('ccxt', CCXT_PROGRAM, []).process,
    onEnd: (reason) => logger.warn({ reason }, 'ccxt reads nothing a second time for now'),
  });
  const reading = readingOf(host, choices, { counts, ccxt });
  let writing: NodeJS.Timeout | undefined;
  const write = (): void => {
    try {
      counts.flush(clock.now());
    } catch (cause) {
      logger.warn({ reason: reasonOf(cause) }, 'counts of quality could not be written');
    }
  };
  return {
    metrics: secondReaderMetrics(reading),
    ports: [fill(MEASURED, { counts, ccxtWays: (venue) => reading.ccxtWays(venue) })],
    start: () => {
      reading.start();
      writing = setInterval(write, WRITE_MS);
      return undefined;
    },
    stop: async () => {
      clearInterval(writing);
      ccxt.stop();
      await reading.stop();
      await counts.stop(clock.now());
    },
  };
}

function readingOf(
  { collector, market, load, history, clock, logger, options, settled, readPort }: Host,
  { everyMs, readsByCcxt }: SecondReaderChoices,
  { counts, ccxt }: { readonly counts: QualityDays; readonly ccxt: SecondProcess },
): SecondReading {
  const { roles } = options;
  const asks = everyMs > 0 && (roles?.has('collect') ?? true);
  const isReadByCcxt = readsByCcxt && isCcxtInstalled();
  return new SecondReading({
    collector,
    // Measuring belongs to the process that keeps the history.
    history: (roles?.has('record') ?? true) ? history : undefined,
    payments: settled,
    clock,
    settings: asks ? { everyMs, ...(isReadByCcxt && { ccxt: ccxt.open }) } : undefined,
    logger,
    view: market.view,
    priorityAssets: PREVIEW_ASSETS,
    incidents: readPort(INCIDENTS),
    days: counts,
    isHeld: () => load.isShed('backfill'),
  });
}
