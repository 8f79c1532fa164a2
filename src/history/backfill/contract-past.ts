import type { Outcome } from '../../collect/transport-failure.ts';
import type { Answer } from '../../collect/venue-caller.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { sleep, type Timer } from '../../runtime/timer.ts';
import type { VenueAdapter, VenueRequest } from '../../venues/adapter.ts';
import { DAY_MS, HOUR_MS, type PastCall } from '../../venues/past-call.ts';
import { callOfRequest } from '../../venues/past-decoder.ts';
import type { Restraint } from './restraint.ts';

/** Makes a call within a venue's budget, after all that the live table needs. Never rejects. */
export type AskVenue = (
  venue: VenueId,
  request: VenueRequest,
  terms: { readonly pool?: string; readonly weight?: number; readonly priority: number },
) => Promise<Outcome<Answer>>;

export interface PastSources {
  readonly adapter: VenueAdapter;
  readonly instruments: () => ReadonlyMap<string, Instrument>;
  readonly ask: AskVenue;
  readonly restraint: Restraint;
  /** Whether others wait for this contract to go first, or none is left to wait for. */
  readonly isUrgent: () => boolean;
  /** Its place in the queue of the venue's budget. */
  readonly priority: number;
  readonly timer: Timer;
  readonly signal: AbortSignal;
}

/** What a venue told of one contract. */
export interface ContractPast {
  readonly decoded: Decoded;
  readonly requests: number;
  /** Calls that did not answer, by kind; empty = all of it is here. */
  readonly failed: readonly string[];
}

const TRIES = 3;
const FIRST_PAUSE_MS = 1000;

/** Asks all that a venue tells of a contract's span [from, to), oldest first. Stops early when the signal aborts. */
export async function fetchPast(
  sources: PastSources,
  instrument: Instrument,
  from: UnixMs,
  to: UnixMs,
): Promise<ContractPast> {
  const told = await Promise.all(
    (sources.adapter.past ?? []).map((past) => fetchKind(sources, past, instrument, from, to)),
  );
  const decoded = emptyDecoded();
  for (const { answers } of told) {
    for (const answer of answers) {
      decoded.funding.push(...answer.funding.filter(({ time }) => time >= from && time < to));
      decoded.history.push(...answer.history);
      decoded.rejects.push(...answer.rejects);
    }
  }
  return {
    decoded,
    requests: told.reduce((sum, { requests }) => sum + requests, 0),
    failed: told.flatMap(({ kind, isWhole }) => (isWhole ? [] : [kind])),
  };
}

/** What one call tells, span after span; it ends at the first that is not answered. */
async function fetchKind(
  sources: PastSources,
  past: PastCall,
  instrument: Instrument,
  from: UnixMs,
  to: UnixMs,
) {
  const { kind } = past;
  const answers: Decoded[] = [];
  let requests = 0;
  for (const [start, end] of spansOf(past, instrument, from, to)) {
    const answer = await fetchSpan(sources, past, past.request(instrument, start, end));
    requests += 1;
    if (answer === undefined) return { kind, answers, requests, isWhole: false };
    answers.push(answer);
  }
  return { kind, answers, requests, isWhole: true };
}

/** The span in pieces that one answer covers each. Volume over 24 hours needs the day before it. */
function spansOf(
  past: PastCall,
  instrument: Instrument,
  from: UnixMs,
  to: UnixMs,
): readonly (readonly [UnixMs, UnixMs])[] {
  const earliest = past.reachMs === undefined ? 0 : to - past.reachMs;
  const start = asMs(Math.max(earliest, past.kind === 'volume' ? from - DAY_MS : from));
  if (past.isLatestOnly === true) return [[start, to]];
  const stepMs = past.stepMs ?? (instrument.fundingIntervalHours ?? 1) * HOUR_MS;
  const spanMs = past.points * stepMs;
  const spans: (readonly [UnixMs, UnixMs])[] = [];
  for (let at = start; at < to; at = asMs(at + spanMs)) spans.push([at, asMs(Math.min(at + spanMs, to))]);
  return spans;
}

async function fetchSpan(
  { adapter, instruments, ask, restraint, isUrgent, priority, timer, signal }: PastSources,
  past: PastCall,
  request: VenueRequest,
): Promise<Decoded | undefined> {
  const call = callOfRequest(adapter, request);
  if (call === undefined) return undefined;
  const { pool, weight } = past;
  const terms = { priority, ...(pool !== undefined && { pool }), ...(weight !== undefined && { weight }) };
  const spent = { budget: adapter.budget, pool: pool ?? 'default', weight: weight ?? 1 };
  for (let i = 0; i < TRIES && !signal.aborted; i++) {
    await restraint.pass(spent, isUrgent, signal);
    if (signal.aborted) return undefined;
    const outcome = await ask(adapter.id, request, terms);
    if (outcome.ok) {
      const { payload, receivedAt } = outcome.value;
      return call.decode(payload, { instruments: instruments(), request, receivedAt });
    }
    if (i + 1 < TRIES) await sleep(timer, FIRST_PAUSE_MS * 4 ** i, signal);
  }
  return undefined;
}
