import { canonicalJson, sha256 } from '../../domain/canonical-json.ts';
import { iso } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import type { WatchStatement } from '../watch-conditions/event-schemas.ts';
import { shownCondition } from '../webhook/shown-address.ts';
import type { WatchRecord } from './watch-record.ts';
import { RULE_VERSION } from './watch-state.ts';

/** Type of the statement, in the header of its JWS. */
export const STATEMENT_TYPE = 'perpmeter-watch';
export const STATEMENT_VERSION = 1;

/** The statement of a watch that has ended. */
export function statementOf(record: WatchRecord, now: number): WatchStatement {
  const { id, beganAt, endedAt = now, endReason = 'time', progress } = record;
  const { webhook } = record.condition;
  const condition = shownCondition(record.condition);
  const stated = progress.missing.filter(({ from }) => from < endedAt);
  const spans = stated.map(({ to, ...span }) => ({ ...span, to: Math.min(to, endedAt) }));
  const missingMs = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  return {
    version: STATEMENT_VERSION,
    issued_at: iso(asMs(now)),
    watch_id: id,
    condition,
    condition_sha256: sha256(canonicalJson(condition)),
    webhook_sha256: webhook === undefined ? null : sha256(webhook),
    rule_version: RULE_VERSION,
    began_at: iso(asMs(beganAt)),
    ended_at: iso(asMs(endedAt)),
    end_reason: endReason,
    fired: progress.fired,
    sequence: progress.seq,
    missing: spans.map(({ from, to, reason, spans: several }) => ({
      from: iso(asMs(from)),
      to: iso(asMs(to)),
      reason,
      ...(several !== undefined && { spans: several }),
    })),
    missing_seconds: missingMs / 1000,
  };
}
