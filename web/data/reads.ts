import { type Answer, merged, troubleOf, type UnpaidCall } from './answer.ts';
import { type Polling, poll } from './poll.ts';
import { POLL_LIMIT_MS } from './within.ts';

/** One try of a read. */
export interface Try<Body> {
  readonly signal: AbortSignal;
  /** After so many ms the service counts as not to be reached; undefined waits for whatever takes long. */
  readonly limitMs: number | undefined;
  /** Shows what there is so far, until something whole was read. */
  readonly tell: (part: Answer<Body>) => void;
}

export type Reader<Body> = (once: Try<Body>) => Promise<Answer<Body>>;

interface Follower {
  /** 0 = once. */
  readonly everyMs: number;
  readonly take: (answer: Answer<unknown>) => void;
}

export const LOADING: Answer<never> = { state: 'loading' };

/** A read that all parts of the page share which show the same: it is made as often as the most eager one wants. */
class SharedRead {
  answer: Answer<unknown> = LOADING;
  readonly #followers = new Set<Follower>();
  #polling: Polling | undefined;
  #everyMs = 0;
  #isOut = false;

  follow(follower: Follower, reader: Reader<unknown>): void {
    this.#followers.add(follower);
    if (this.#polling !== undefined && !(follower.everyMs > 0 && this.#isSlowerThan(follower))) return;
    this.#everyMs = follower.everyMs;
    this.#begin(reader);
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
  }

  /** Ends what nobody follows. @returns true where it has ended */
  endIfLeft(): boolean {
    if (this.#followers.size > 0) return false;
    this.#polling?.stop();
    return true;
  }

  look(): void {
    this.#polling?.look();
  }

  get isOut(): boolean {
    return this.#isOut;
  }

  #isSlowerThan({ everyMs }: Follower): boolean {
    return this.#everyMs === 0 || everyMs < this.#everyMs;
  }

  #begin(reader: Reader<unknown>): void {
    this.#polling?.stop();
    // A call that is made once may take as long as it does: a file, or a calculation over years.
    const limitMs = this.#everyMs === 0 ? undefined : POLL_LIMIT_MS;
    const tell = (part: Answer<unknown>): void => {
      if (this.answer.state !== 'ready' || this.answer.part !== undefined) this.#show(part);
    };
    this.#polling = poll(
      (signal) => reader({ signal, limitMs, tell }),
      this.#everyMs,
      (next) => this.#take(next),
    );
  }

  #take(next: Answer<unknown>): void {
    const wasOut = this.#isOut;
    this.#isOut = troubleOf(next) !== undefined;
    this.#show(merged(this.answer, next));
    // The service is back, which nothing else has noticed yet.
    if (wasOut && !this.#isOut) lookAtFailed();
  }

  #show(answer: Answer<unknown>): void {
    this.answer = answer;
    for (const { take } of this.#followers) take(answer);
    for (const changed of watchers) changed();
  }
}

/** Called after each change of any read. */
const watchers = new Set<() => void>();

/** Calls back after each change of any read. @returns stops that */
export function onReads(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/** The calls that the parts of the page would show and that are for sale, each once. */
export function callsForSale(): readonly UnpaidCall[] {
  const all = [...reads.values()].flatMap(({ answer }) => (answer.state === 'unpaid' ? answer.calls : []));
  return [...new Map(all.map((call) => [call.path, call])).values()];
}

const reads = new Map<string, SharedRead>();

/** The answer under a key as it stands. */
export const known = (key: string): Answer<unknown> => reads.get(key)?.answer ?? LOADING;

/**
 * Follows what is read under a key, from what is known of it on.
 * @param everyMs 0 = once
 * @param reader reads it, if nobody follows the key yet
 * @returns ends it; what nobody follows is forgotten
 */
export function follow<Body>(
  key: string,
  everyMs: number,
  reader: Reader<Body>,
  take: (answer: Answer<Body>) => void,
): () => void {
  const read = reads.get(key) ?? new SharedRead();
  reads.set(key, read);
  // A key has answers of one type.
  const follower = { everyMs, take: take as Follower['take'] };
  read.follow(follower, reader as Reader<unknown>);
  if (read.answer.state !== 'loading') follower.take(read.answer);
  return () => {
    read.leave(follower);
    // Another part may take it over in this very turn: a longer list of the same paths, or the next view.
    setTimeout(() => {
      if (!read.endIfLeft() || reads.get(key) !== read) return;
      reads.delete(key);
      for (const changed of watchers) changed();
    });
  };
}

/** Reads everything again that is shown. */
export function lookAgain(): void {
  for (const read of reads.values()) read.look();
}

/** Tries everything again that has failed for a reason that may pass. */
export function lookAtFailed(): void {
  for (const read of reads.values()) if (read.isOut) read.look();
}
