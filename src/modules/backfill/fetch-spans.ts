import type { Decoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { BackfillEndpoint } from '../../venues/backfill-endpoint.ts';
import {
  type BackfillSources,
  type FetchedKind,
  fetchAnswer,
  isReadable,
  pointsOf,
  TRIES,
  withoutSeen,
} from './fetch-answer.ts';
import {
  type Hole,
  holesIn,
  leftOut,
  type MissingReason,
  type MissingSpan,
  type Span,
  stepOf,
} from './gaps.ts';

/** Answers a page may take on average, besides those that bring so many points. */
const ANSWERS_A_PAGE = 16;
const POINTS_AN_ANSWER = 3;
/** Stretches between points that are asked for once more in one round. */
const MAX_HOLES = 32;

/**
 * One endpoint that takes a span, asked for a contract's past. A short answer is not the end of a page: what lies
 * before its oldest and after its newest point is asked for until nothing comes, and so is what lies between
 * points, once.
 */
export class SpanFetch {
  readonly #sources: BackfillSources;
  readonly #endpoint: BackfillEndpoint;
  readonly #instrument: Instrument;
  readonly #all: Span;
  readonly #stepMs: number;
  readonly #answers: Decoded[] = [];
  readonly #times = new Set<number>();
  readonly #missing: MissingSpan[] = [];
  readonly #askedAgain = new Set<string>();
  #state: FetchedKind['state'] = 'whole';
  #requests = 0;

  constructor(sources: BackfillSources, endpoint: BackfillEndpoint, instrument: Instrument, asked: Span) {
    this.#sources = sources;
    this.#endpoint = endpoint;
    this.#instrument = instrument;
    this.#stepMs = stepOf(endpoint, instrument.fundingIntervalHours);
    const [from, to] = asked;
    const earliest = endpoint.reachMs === undefined ? 0 : to - endpoint.reachMs;
    // Volume over 24 hours needs the day before it.
    this.#all = [asMs(Math.max(earliest, endpoint.kind === 'volume' ? from - DAY_MS : from)), to];
  }

  /** Fetches all that the venue has of the span, oldest first; ends at the first answer that does not come. */
  async run(): Promise<FetchedKind> {
    const left = this.#pages();
    const hours = (this.#all[1] - this.#all[0]) / HOUR_MS;
    const most = left.length * ANSWERS_A_PAGE + Math.ceil(hours / POINTS_AN_ANSWER);
    for (let span = left.shift(); span !== undefined; span = left.shift() ?? this.#holeToAsk()) {
      if (this.#requests >= most) {
        this.#fail('failed', [span[0], this.#all[1]], 'too_many');
        break;
      }
      const parts = await this.#ask(span);
      if (parts === undefined) break;
      left.unshift(...parts);
    }
    if (this.#state !== 'failed') this.#noteHoles();
    const { kind } = this.#endpoint;
    return {
      kind,
      answers: this.#answers,
      requests: this.#requests,
      state: this.#state,
      missing: this.#missing,
    };
  }

  get #isPaid(): boolean {
    return this.#endpoint.kind === 'funding';
  }

  get #pageMs(): number {
    return this.#endpoint.points * (this.#endpoint.stepMs ?? this.#stepMs);
  }

  /** The span in pages of one answer each. */
  #pages(): Span[] {
    const [from, to] = this.#all;
    if (this.#endpoint.isLatestOnly === true) return [this.#all];
    const pages: Span[] = [];
    for (let at = from; at < to; at = asMs(at + this.#pageMs))
      pages.push([at, asMs(Math.min(at + this.#pageMs, to))]);
    return pages;
  }

  /** @returns the parts of the span that the answer has left out; undefined where no answer came */
  async #ask(span: Span): Promise<Span[] | undefined> {
    const { points, isLatestOnly } = this.#endpoint;
    const request = this.#endpoint.request(this.#instrument, ...span);
    const answer = await fetchAnswer(
      this.#sources,
      this.#endpoint,
      request,
      this.#state === 'failed' ? 1 : TRIES,
    );
    this.#requests += 1;
    if (answer === undefined) {
      this.#fail('failed', [span[0], this.#all[1]], 'no_answer');
      return undefined;
    }
    const { decoded } = answer;
    if (!isReadable(decoded)) {
      this.#state = 'failed';
      this.#answers.push(decoded);
      return [];
    }
    if (this.#isOutside(decoded, span)) this.#fail('gaps', span, 'outside');
    const fresh = withoutSeen(decoded, this.#times);
    this.#answers.push(fresh);
    if (isLatestOnly === true || pointsOf(fresh).length === 0) return [];
    const times = pointsOf(decoded).map(({ time }) => time);
    const inside = times.filter((time) => time >= span[0] && time < span[1]).sort((a, b) => a - b);
    return leftOut(span, inside, this.#stepMs, times.length + decoded.rejects.length >= points);
  }

  /**
   * True if all points are of another time than the requested one; rows beyond an end that the endpoint ignores
   * are none.
   */
  #isOutside(decoded: Decoded, [from, to]: Span): boolean {
    const { isLatestOnly, takesOnly } = this.#endpoint;
    const times = pointsOf(decoded).map(({ time }) => time);
    if (isLatestOnly === true || times.length === 0) return false;
    const isBefore = (time: number): boolean => time < from - this.#edgeMs;
    const isAfter = (time: number): boolean => time >= to + this.#edgeMs;
    if (takesOnly === 'to') return times.every(isAfter);
    if (takesOnly === 'from') return times.every(isBefore);
    return times.every((time) => isBefore(time) || isAfter(time));
  }

  /**
   * The distance beyond the span at which an answer's points may lie, ms: stamps come late, and a payment may
   * stand under its beginning.
   */
  get #edgeMs(): number {
    return this.#isPaid && this.#sources.adapter.stamps?.funding?.means === 'begin' ? DAY_MS : MINUTE_MS;
  }

  #fail(state: 'gaps' | 'failed', [from, to]: Span, reason: MissingReason): void {
    if (this.#state !== 'failed') this.#state = state;
    this.#missing.push({ kind: this.#endpoint.kind, from, to, reason });
  }

  #holes(): readonly Hole[] {
    const [from, to] = this.#all;
    const times = [...this.#times].filter((time) => time >= from && time < to).sort((a, b) => a - b);
    return holesIn(this.#all, times, this.#stepMs, this.#isPaid);
  }

  /** A stretch without points that was not asked for by itself, at most a page of it; none where the venue fails anyway. */
  #holeToAsk(): Span | undefined {
    if (this.#endpoint.isLatestOnly === true || this.#state !== 'whole') return undefined;
    for (const { span } of this.#askedAgain.size < MAX_HOLES ? this.#holes() : []) {
      const key = span.join();
      if (this.#askedAgain.has(key)) continue;
      this.#askedAgain.add(key);
      return [asMs(Math.max(span[0], span[1] - this.#pageMs)), span[1]];
    }
    return undefined;
  }

  /** A payment that is missing between others leaves the kind incomplete; what lies before the first may be the listing. */
  #noteHoles(): void {
    const { kind } = this.#endpoint;
    for (const { span, place, isLong } of this.#holes()) {
      const [from, to] = span;
      if (place === 'before') this.#missing.push({ kind, from, to, reason: 'before_first' });
      else if (isLong && this.#isPaid) this.#fail('gaps', span, 'empty');
      else if (isLong) this.#missing.push({ kind, from, to, reason: 'empty' });
    }
  }
}
