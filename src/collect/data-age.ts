import { asMs, type UnixMs } from '../domain/units.ts';

/** One payload that stated quotes. */
export interface DataEvent {
  /** Poll or stream it came from. */
  readonly source: string;
  readonly receivedAt: UnixMs;
  /** Newest venue timestamp among its quotes, where the venue proves freshness by it. */
  readonly stamp: UnixMs | undefined;
  /** True if the stamps are too coarse (whole minutes) to prove that the venue stands still. */
  readonly isCoarse?: boolean | undefined;
  /** True if it stated a mark price. */
  readonly marks: boolean;
}

interface SourceAge {
  receivedAt: UnixMs;
  stamp: UnixMs | undefined;
  readonly isCoarse: boolean;
  marks: boolean;
}

/**
 * The age of a venue's data. Sources that state marks decide where there are any: a row is as fresh as its
 * mark. Among them a source with venue stamps is as old as its newest stamp, whatever arrives; while it still
 * answers, sources without a stamp cannot vouch for the venue. Coarse stamps date their own source and judge no
 * other.
 */
export class DataAge {
  readonly #sources = new Map<string, SourceAge>();
  readonly #answeringMs: number;

  /** @param answeringMs a source counts as answering for this long after its last payload */
  constructor(answeringMs: number) {
    this.#answeringMs = answeringMs;
  }

  note(event: DataEvent): void {
    const known = this.#sources.get(event.source);
    if (known === undefined) {
      const { receivedAt, stamp, isCoarse = false, marks } = event;
      this.#sources.set(event.source, { receivedAt, stamp, isCoarse, marks });
      return;
    }
    known.receivedAt = event.receivedAt;
    known.marks ||= event.marks;
    if (event.stamp !== undefined && event.stamp > (known.stamp ?? 0)) known.stamp = event.stamp;
  }

  /** Time of the newest data; undefined before the first. */
  newest(now: UnixMs): UnixMs | undefined {
    const decides = this.#rule(now);
    let newest: number | undefined;
    for (const source of this.#sources.values()) {
      if (!decides(source)) continue;
      // Received before the clock was set back: it ages from now on.
      source.receivedAt = asMs(Math.min(source.receivedAt, now));
      const at = Math.min(source.receivedAt, source.stamp ?? source.receivedAt);
      if (newest === undefined || at > newest) newest = at;
    }
    return newest === undefined ? undefined : asMs(newest);
  }

  /** True if payloads still come although their stamps stand still. */
  isFrozen(now: UnixMs, limitMs: number): boolean {
    const decides = this.#rule(now);
    return [...this.#sources.values()].some(
      (s) =>
        decides(s) &&
        !s.isCoarse &&
        s.stamp !== undefined &&
        now - s.receivedAt <= limitMs &&
        now - s.stamp > limitMs,
    );
  }

  /** The sources that decide at present. Called with every frame, hence without lists. */
  #rule(now: UnixMs): (source: SourceAge) => boolean {
    let anyMarks = false;
    for (const source of this.#sources.values()) anyMarks ||= source.marks;
    let stampedAnswers = false;
    for (const { marks, stamp, isCoarse, receivedAt } of this.#sources.values()) {
      if (isCoarse || stamp === undefined || now - receivedAt > this.#answeringMs) continue;
      if (marks || !anyMarks) stampedAnswers = true;
    }
    return (source) => (source.marks || !anyMarks) && (source.stamp !== undefined || !stampedAnswers);
  }
}
