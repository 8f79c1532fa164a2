import { INCIDENTS } from '../../host/incident-board.ts';
import type { Host, OpenModule } from '../../host/module.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import { repeatInParts } from '../../runtime/in-parts.ts';
import { fill } from '../../runtime/port.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { Audit } from './audit.ts';
import { type AuditStores, openAuditStores } from './audit-stores.ts';
import { auditMetrics } from './metrics.ts';
import { AUDIT } from './port.ts';

/** A finding that is not written yet is lost with the process: a rule that is still broken opens it again. */
const WRITE_MS = SECOND_MS;

/**
 * Opens what was found before, and judges all that comes in.
 *
 * @throws StoreOpenError where a store is a newer build's, or could not be upgraded
 */
export async function openAudit(host: Host): Promise<OpenModule> {
  const { market, clock, options } = host;
  const stores = await openAuditStores(options.dataDir);
  const { incidents, coverage } = stores;
  const rules = new Audit(incidents, clock);
  const view = {
    incidents,
    coverage,
    suspects: rules.suspects.bind(rules),
    predictions: rules.predictions.bind(rules),
  };
  let timers: readonly NodeJS.Timeout[] = [];
  return {
    judges: {
      listens: rules.listener(market),
      flagOf: (venue, symbol) => rules.suspect(venue, symbol),
    },
    ports: [fill(AUDIT, view), fill(INCIDENTS, incidents)],
    metrics: auditMetrics({ incidents, rules, view: market.view }),
    start: () => {
      timers = repeated(host, stores, rules);
      return undefined;
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await stores.stop(clock.now());
    },
  };
}

/** The looks of every minute, and the writing of what they find. */
function repeated(
  { market, health, clock, logger }: Host,
  stores: AuditStores,
  rules: Audit,
): readonly NodeJS.Timeout[] {
  const warn = (message: string) => (cause: unknown) => logger.warn({ reason: reasonOf(cause) }, message);
  function* minute(): Generator<unknown> {
    yield* rules.minute(market, health);
    stores.coverage.observe(market.view, health, clock.now());
  }
  // A disk that takes nothing must not end the service: what has changed is written with the next.
  const write = (): void => {
    try {
      stores.flush(clock.now());
    } catch (cause) {
      warn('incidents and coverage could not be written')(cause);
    }
  };
  return [
    setInterval(write, WRITE_MS),
    repeatInParts(minute, MINUTE_MS, warn('the minute could not be audited in full')),
  ];
}
