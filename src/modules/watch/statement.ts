import { canonicalJson, sha256 } from '../../domain/canonical-json.ts';
import { iso } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import { shownCondition } from '../webhook/shown-address.ts';
import type { WatchRecord } from './watch-record.ts';
import { RULE_VERSION } from './watch-state.ts';

/** Type of the statement, in the header of its JWS. */
export const STATEMENT_TYPE = 'perpmeter-watch';
export const STATEMENT_VERSION = 1;

/** The signed content of a watch's end: what was watched, in which span, and when nothing could be known. */
export interface WatchStatement {
  readonly version: number;
  readonly issued_at: string;
  readonly watch_id: string;
  /** As it was understood; `webhook` is the host alone. */
  readonly condition: WatchRecord['condition'];
  /** Of the canonical JSON (RFC 8785) of this condition, base64url. */
  readonly condition_sha256: string;
  /** Of the receiver's whole address, base64url: its owner can show that it was his. Null without a receiver. */
  readonly webhook_sha256: string | null;
  readonly rule_version: number;
  readonly began_at: string;
  readonly ended_at: string;
  /** `time`: its time was over; `all_firings`: it has told as many as were bought. */
  readonly end_reason: string;
  /** Firings that its condition caused: 0 states that it did not hold in the known part of the span. */
  readonly fired: number;
  /** Number of the last thing told, the end itself among them. */
  readonly sequence: number;
  /** Spans in which the condition could not be known, in order; `spans` where one stands for several. */
  readonly missing: readonly {
    readonly from: string;
    readonly to: string;
    readonly reason: string;
    readonly spans?: number;
  }[];
  readonly missing_seconds: number;
}

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
