import { type Decoded, rowCount } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import type { BackfillEndpoint } from '../../venues/backfill-endpoint.ts';
import {
  type BackfillSources,
  type DecodedAnswer,
  type FetchedKind,
  fetchAnswer,
  isReadable,
  pointsOf,
  TRIES,
  withoutSeen,
} from './fetch-answer.ts';
import { holesIn, type MissingReason, type MissingSpan, type Span, stepOf } from './gaps.ts';

export type PagedEndpoint = BackfillEndpoint & { readonly pages: number };

/** Sizes of page that are tried at most: a venue that gives a share of any size would be asked for ever smaller ones. */
const MAX_SIZES = 3;

/**
 * One endpoint whose pages have numbers, the newest points first. A short page is not the last: pages are asked for until
 * one reaches back before the span, the rows that the venue states have come, or two in a row are empty. Where the venue
 * gives fewer rows than the size asked for and yet has a further page, pages are asked for by the size that it gives, since
 * numbers count in sizes.
 */
export class PageFetch {
  readonly #sources: BackfillSources;
  readonly #endpoint: PagedEndpoint;
  readonly #instrument: Instrument;
  readonly #all: Span;
  #answers: Decoded[] = [];
  #missing: MissingSpan[] = [];
  #seen = new Set<number>();
  #state: FetchedKind['state'] = 'whole';
  #requests = 0;
  #rows = 0;
  #total: number | undefined;

  constructor(sources: BackfillSources, endpoint: PagedEndpoint, instrument: Instrument, asked: Span) {
    this.#sources = sources;
    this.#endpoint = endpoint;
    this.#instrument = instrument;
    this.#all = asked;
  }

  async run(): Promise<FetchedKind> {
    let size = this.#endpoint.points;
    for (let sizes = 1; ; sizes++) {
      const given = await this.#pagesOf(size, sizes < MAX_SIZES);
      if (given === undefined) break;
      size = given;
      this.#answers = [];
      this.#missing = [];
      this.#seen = new Set();
      this.#state = 'whole';
      this.#rows = 0;
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

  /** @returns the size that the venue gives, where its pages are to be asked for again by that one */
  async #pagesOf(size: number, mayShrink: boolean): Promise<number | undefined> {
    const [from] = this.#all;
    const most = Math.ceil((this.#endpoint.pages * this.#endpoint.points) / size);
    let firstRows = size;
    let empty = 0;
    let errors = 0;
    for (let page = 1; page <= most; page++) {
      const answer = await this.#ask(page, size);
      if (answer === undefined) return this.#fail('failed', 'no_answer');
      const kept = this.#keep(answer);
      const rows = rowCount(answer.decoded) + answer.decoded.rejects.length;
      errors = isReadable(answer.decoded) ? 0 : errors + 1;
      if (errors > 0) this.#state = 'failed';
      if (errors > 1) return undefined;
      if (page === 1) firstRows = rows;
      if (page === 2 && mayShrink && kept > 0 && firstRows > 0 && firstRows < size) return firstRows;
      if (errors > 0) continue;
      if (rows > 0 && empty > 0) await this.#askEmptyAgain(page - 1, size);
      if (this.#hasReached(from) || this.#hasTotal) return undefined;
      // A list may repeat its last page for ever; where that is the first, the number may not be read at all.
      if (rows > 0 && kept === 0) return page === 2 ? this.#fail('gaps', 'same_page') : this.#endEarly();
      empty = rows > 0 ? 0 : empty + 1;
      if (empty > 1) return this.#endEarly();
    }
    return this.#fail('gaps', 'too_many');
  }

  #ask(page: number, size: number): Promise<DecodedAnswer | undefined> {
    this.#requests += 1;
    const request = this.#endpoint.request(this.#instrument, ...this.#all, page, size);
    return fetchAnswer(this.#sources, this.#endpoint, request, this.#state === 'failed' ? 1 : TRIES);
  }

  /** @returns how many points are new */
  #keep({ decoded, total }: DecodedAnswer): number {
    const fresh = withoutSeen(decoded, this.#seen);
    this.#answers.push(fresh);
    const count = pointsOf(fresh).length;
    this.#rows += count + decoded.rejects.length;
    this.#total = total ?? this.#total;
    return count;
  }

  /** An empty page between others was no end. */
  async #askEmptyAgain(page: number, size: number): Promise<void> {
    const answer = await this.#ask(page, size);
    if (answer !== undefined && this.#keep(answer) > 0) return;
    this.#fail('gaps', 'empty');
  }

  get #hasTotal(): boolean {
    return this.#total !== undefined && this.#rows >= this.#total;
  }

  /** The list ends; a venue that states more rows than it gave keeps some back. */
  #endEarly(): undefined {
    if (this.#total !== undefined && !this.#hasTotal) this.#fail('gaps', 'short_of_total');
    return undefined;
  }

  #hasReached(from: number): boolean {
    for (const time of this.#seen) if (time < from) return true;
    return false;
  }

  get #times(): readonly number[] {
    const [from, to] = this.#all;
    return [...this.#seen].filter((time) => time >= from && time < to).sort((a, b) => a - b);
  }

  /** Notes that what is older than the oldest point did not come. */
  #fail(state: 'gaps' | 'failed', reason: MissingReason): undefined {
    if (this.#state !== 'failed') this.#state = state;
    const [from, to] = this.#all;
    this.#missing.push({ kind: this.#endpoint.kind, from, to: asMs(this.#times[0] ?? to), reason });
    return undefined;
  }

  #noteHoles(): void {
    const { kind } = this.#endpoint;
    const stepMs = stepOf(this.#endpoint, this.#instrument.fundingIntervalHours);
    for (const { span, place, isLong } of holesIn(this.#all, this.#times, stepMs, kind === 'funding')) {
      const [from, to] = span;
      if (place === 'before' && this.#hasReached(this.#all[0])) continue;
      if (place === 'before') this.#missing.push({ kind, from, to, reason: 'before_first' });
      else if (isLong) {
        if (kind === 'funding' && this.#state === 'whole') this.#state = 'gaps';
        this.#missing.push({ kind, from, to, reason: 'empty' });
      }
    }
  }
}
