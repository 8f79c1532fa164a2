import type { Aggregation } from '../../analytics/past-window.ts';
import { namePair } from '../../analytics/select.ts';
import type { ValueQuestion } from '../../analytics/value-history.ts';
import { ok, type Result } from '../../domain/errors.ts';
import type { UnixMs } from '../../domain/units.ts';
import { days, readAsOf, readWindow } from '../request/window.ts';
import type { Services } from '../route.ts';

const CAP_DAYS: Readonly<Record<Aggregation, number>> = { '1h': 30, '4h': 60, '1d': 90 };
const DEFAULT_DAYS = 7;

interface ValueInput {
  readonly ticker: string;
  readonly venue: string;
  readonly aggr?: Aggregation | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly as_of?: string | undefined;
}

/** What a request for the history of one value on one venue is about. */
export function valueQuestion(
  { ticker: name, venue: at, aggr = '1h', from, to, as_of: asOfText }: ValueInput,
  { market, clock }: Services,
): Result<{ readonly question: ValueQuestion; readonly asOf: UnixMs | undefined }> {
  const pair = namePair(market, { ticker: name, venue: at });
  if (!pair.ok) return pair;
  const now = clock.now();
  const rule = { capMs: days(CAP_DAYS[aggr]), defaultMs: days(DEFAULT_DAYS) };
  const window = readWindow({ aggregation: aggr, from, to }, rule, now);
  if (!window.ok) return window;
  const asOf = readAsOf(asOfText, now);
  if (!asOf.ok) return asOf;
  const { ticker, canonicalId, venue } = pair.value;
  const question = { ticker, canonicalId, venue: venue.info.id, window: window.value };
  return ok({ question, asOf: asOf.value });
}
