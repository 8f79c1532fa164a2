import type { WatchAnswer } from '../../../../packages/client/src/routes.ts';
import { type Answer, merged } from '../../../../web/data/answer.ts';
import { ask, callHeaders } from '../../../../web/data/answers.ts';
import { followEvents } from '../../../../web/data/event-feed.ts';
import { LOADING } from '../../../../web/data/reads.ts';
import type { ServerEvent } from '../../../../web/data/server-events.ts';
import { POLL_LIMIT_MS } from '../../../../web/data/within.ts';
import type { Firing } from './condition-words.ts';
import { inStreamPlace } from './stream-places.ts';
import type { KeptWatch } from './watch-store.ts';

/** A watch as it is followed. */
export interface FollowedWatch {
  readonly kept: KeptWatch;
  readonly answer: Answer<WatchAnswer>;
  /** The earliest first. */
  readonly firings: readonly Firing[];
  /** True while its firings come by a stream; else they are asked for. */
  readonly isLive: boolean;
}

export interface WatchHearer {
  changed(): void;
  /** A firing that came since the watch is followed here. */
  fired(firing: Firing): void;
}

const SECRET_HEADER = 'perpmeter-secret';
const EVERY_MS = 10_000;
/** One that has ended, or cannot be read, changes by a renewal alone. */
const RARELY_MS = 60_000;
const PAGE = 1000;

/** Follows one watch while the page is open, also in a tab that is not looked at: reads its state, and hears its stream. */
export class WatchFollower {
  readonly kept: KeptWatch;
  readonly #hearer: WatchHearer;
  readonly #stop = new AbortController();
  #answer: Answer<WatchAnswer> = LOADING;
  #firings: readonly Firing[] = [];
  #isLive = false;
  /** Ends its present stream. */
  #stream = new AbortController();
  #wake: () => void = () => {};

  constructor(kept: KeptWatch, hearer: WatchHearer) {
    this.kept = kept;
    this.#hearer = hearer;
  }

  get state(): FollowedWatch {
    return { kept: this.kept, answer: this.#answer, firings: this.#firings, isLive: this.#isLive };
  }

  async run(): Promise<void> {
    await this.#read();
    void this.#hearOn();
    while (!this.#stop.signal.aborted) {
      await this.#pause(this.#isOver ? RARELY_MS : EVERY_MS);
      if (!this.#stop.signal.aborted) await this.#read();
    }
  }

  /** Reads it now. */
  look(): void {
    this.#wake();
  }

  stop(): void {
    this.#stop.abort();
    this.#stream.abort();
    this.#wake();
  }

  get #isOver(): boolean {
    return this.#answer.state !== 'ready' || this.#answer.body.phase === 'ended';
  }

  get #path(): string {
    return `/v1/watches/${encodeURIComponent(this.kept.id)}?after=${this.#firings.at(-1)?.sequence ?? 0}`;
  }

  get #headers(): Record<string, string> {
    return { [SECRET_HEADER]: this.kept.secret };
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #read(): Promise<void> {
    const { signal } = this.#stop;
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const path = `${this.#path}&limit=${PAGE}`;
      const next = await ask<WatchAnswer>(path, signal, POLL_LIMIT_MS, this.#headers);
      if (signal.aborted) return;
      const isFirst = this.#answer.state !== 'ready';
      hasMore = next.state === 'ready' && next.body.has_more;
      if (next.state === 'ready') this.#take(next.body.firings, isFirst || hasMore);
      this.#answer = merged(this.#answer, next);
    }
    if (this.#isOver) this.#stream.abort();
    this.#hearer.changed();
  }

  /** Adds firings that are not there yet. @param isOld true of those from before the watch was followed here */
  #take(firings: readonly Firing[], isOld: boolean): void {
    const last = this.#firings.at(-1)?.sequence ?? 0;
    const later = firings.filter(({ sequence }) => sequence > last);
    this.#firings = [...this.#firings, ...later];
    if (!isOld) for (const firing of later) this.#hearer.fired(firing);
  }

  /** Hears its stream as long as it goes on and a place for it is free; tries again after a while. */
  async #hearOn(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      if (!this.#isOver) await inStreamPlace(() => this.#hear());
      this.#stands(false);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  }

  #hear(): Promise<void> {
    this.#stream = new AbortController();
    const headers = { ...callHeaders(), ...this.#headers };
    const take = ({ data, name }: ServerEvent): void => {
      if (name === 'closing') return;
      this.#take([JSON.parse(data) as Firing], false);
      // The state has changed with it.
      this.#wake();
    };
    const stands = (how: 'cut' | 'open' | 'off'): void => this.#stands(how === 'open');
    return followEvents({ path: this.#path, headers }, { take, stands }, this.#stream.signal);
  }

  #stands(isLive: boolean): void {
    if (this.#isLive === isLive) return;
    this.#isLive = isLive;
    this.#hearer.changed();
  }
}
