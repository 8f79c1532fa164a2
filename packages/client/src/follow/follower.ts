import type { Sent } from '../http.ts';
import { jsonOf, problemOf } from '../problems.ts';
import type { Problem } from '../result.ts';
import { SILENT_MS } from '../stream.ts';
import { openArrivals } from './arrivals.ts';
import type { Arrived } from './arrived.ts';
import { LiveRows } from './live-rows.ts';
import { MinutePurse, type Purchase } from './minute-purse.ts';
import type { BoughtMinutes, FollowEvent, FollowOptions, StreamedEvent } from './options.ts';
import type { FollowParts, FollowState } from './parts.ts';
import { socketMaker } from './socket-maker.ts';

/** Before the service has said how soon a broken connection is opened again. */
const RETRY_MS = 2000;
/** The stream is left so long before the end of its last minute, so that none begins that would be owed. */
const MARGIN_MS = 1000;
/** A stream that was bought is known at every host of the service after so long. */
const NEW_MS = 30_000;
const STEP_ASSETS = 50;
const STEP_QUOTES = 2;
const MOST_USES = 10;
const MOST_ATTEMPTS = 6;

/** The end of a stream: a problem; null after its last minute; undefined while it goes on. */
type End = Problem | null | undefined;

type Happened =
  | { readonly kind: 'arrived'; readonly arrived: Arrived | undefined }
  | {
      readonly kind: 'paid';
      readonly paid: number;
      readonly endsAt: number | undefined;
      readonly purchase: Purchase;
    }
  | { readonly kind: 'over' };

const REPLACED: Problem = {
  code: 'stream_replaced',
  charged: false,
  detail:
    'Newer readers of the stream have taken the place of this one: two at a time read it. Follow it once for all that need it.',
};

/** Events of a paid stream, until its end, which is the last of them, or its signal. A caller who takes no events does not pay. */
export async function* followPaid(
  parts: FollowParts,
  options: FollowOptions,
  state: FollowState,
  signal: AbortSignal,
): AsyncGenerator<FollowEvent, void, undefined> {
  yield* new Follower(parts, options, state, signal).events();
}

class Follower {
  readonly #parts: FollowParts;
  readonly #options: FollowOptions;
  readonly #state: FollowState;
  readonly #signal: AbortSignal;
  readonly #purse: MinutePurse;
  readonly #rows: LiveRows;
  #uses = 1;
  #retryMs = RETRY_MS;
  /** The sum of paid minutes for which more were bought last: an event that still states it is no reason to pay. */
  #paidFor = -1;
  #paying: Promise<Happened> | undefined;
  #over: Promise<Happened> | undefined;
  #isPaused = false;
  /** The reason for which the last minutes were not bought. */
  #refusal: Problem | undefined;
  /** The refusal of the last connection, where it came over that. */
  #refused: Sent | undefined;
  /** The service's clock is so much ahead of ours, ms. */
  #aheadMs = 0;
  #boughtAt = Number.NEGATIVE_INFINITY;

  constructor(parts: FollowParts, options: FollowOptions, state: FollowState, signal: AbortSignal) {
    this.#parts = parts;
    this.#options = options;
    this.#state = state;
    this.#signal = signal;
    this.#purse = new MinutePurse(parts, options);
    this.#rows = new LiveRows(state.rows);
  }

  async *events(): AsyncGenerator<FollowEvent, void, undefined> {
    const refused =
      this.#options.stream === undefined ? yield* this.#begin() : await this.#resume(this.#options.stream);
    const problem = refused ?? (yield* this.#read());
    if (this.#signal.aborted || problem === undefined) return;
    yield { event: 'ended', problem, spentUsd: this.#state.spentUsd };
  }

  async *#begin(): AsyncGenerator<FollowEvent, Problem | undefined, undefined> {
    const { sizeUsd } = this.#options;
    const query = new URLSearchParams();
    if (sizeUsd !== undefined) query.set('size_usd', String(sizeUsd));
    for (const name of ['topics', 'symbol', 'venues', 'exclude', 'quote'] as const) {
      const words = this.#options[name];
      if (words !== undefined) query.set(name, words.join());
    }
    const uses = likelyUses(this.#options);
    const purchase = await this.#purse.buy(query, uses, this.#signal);
    const told = this.#bought(purchase);
    if (purchase === 'full') return tooFew(uses);
    if (!purchase.ok) return purchase.problem;
    const { id, secret, selection } = purchase.answer;
    this.#uses = usesOf(selection);
    this.#boughtAt = this.#parts.now();
    this.#state.stream = { id: String(id), secret: String(secret) };
    if (told !== undefined) yield told;
    return undefined;
  }

  /** Looks at a stream that was bought before. */
  async #resume({ id, secret }: NonNullable<FollowOptions['stream']>): Promise<Problem | undefined> {
    const state = await this.#parts.request(`/v1/streams/${id}`, { secret, signal: this.#signal });
    if (!state.ok) return state.problem;
    this.#uses = usesOf(jsonOf(state.reply).selection);
    return undefined;
  }

  /** Reads the stream, over broken connections. */
  async *#read(): AsyncGenerator<FollowEvent, End, undefined> {
    const { id = '', secret = '' } = this.#state.stream ?? {};
    const url = new URL(`/v1/streams/${id}`, this.#parts.baseUrl);
    let failures = 0;
    while (!this.#signal.aborted) {
      const stop = new AbortController();
      const leave = (): void => stop.abort();
      this.#signal.addEventListener('abort', leave, { once: true });
      try {
        const before = this.#rows.lastId;
        const end = yield* this.#connection(url, secret, stop);
        if (end !== undefined) return end;
        failures = this.#rows.lastId === before ? failures + 1 : 0;
        await this.#pause(failures);
      } finally {
        this.#signal.removeEventListener('abort', leave);
        stop.abort();
      }
    }
    return undefined;
  }

  /** Reads the stream by one connection. */
  async *#connection(
    url: URL,
    secret: string,
    stop: AbortController,
  ): AsyncGenerator<FollowEvent, End, undefined> {
    const { silentMs = SILENT_MS } = this.#options;
    const reading = { url, id: this.#rows.lastId, secret };
    this.#refused = undefined;
    const opened = await openArrivals(this.#parts, reading, socketMaker(this.#options), stop, silentMs);
    if (!('code' in opened)) {
      const end = yield* this.#take(opened);
      if (end !== undefined) return end;
    } else this.#refused = opened;
    const isNew = this.#parts.now() - this.#boughtAt < NEW_MS;
    return this.#refused && lastingOf(this.#refused, isNew);
  }

  #pause(failures: number): Promise<boolean> {
    const { http } = this.#parts;
    if (failures === 0) return http.sleep(this.#retryMs, this.#signal);
    const broken = this.#refused ?? { code: 'unreachable', cause: undefined };
    return http.rest(Math.min(failures, MOST_ATTEMPTS), broken, this.#signal);
  }

  /** Takes the events of one connection, and meanwhile how payments end. */
  async *#take(told: AsyncGenerator<Arrived>): AsyncGenerator<FollowEvent, End, undefined> {
    const read = (): Promise<Happened> =>
      told.next().then(
        ({ value, done }) => ({ kind: 'arrived', arrived: done === true ? undefined : value }),
        () => ({ kind: 'arrived', arrived: undefined }),
      );
    let next = read();
    for (;;) {
      const happened = await Promise.race([next, this.#paying ?? next, this.#over ?? next]);
      if (this.#signal.aborted) return undefined;
      if (happened.kind === 'over') return null;
      if (happened.kind === 'paid') {
        const bought = this.#bought(happened.purchase);
        if (bought !== undefined) yield bought;
        const end = this.#paid(happened);
        if (end !== undefined) return end;
        continue;
      }
      const { arrived } = happened;
      if (arrived === undefined) return undefined;
      next = read();
      const event = this.#eventOf(arrived);
      if (event === undefined) continue;
      if (!this.#rows.take(event)) return undefined;
      // The payment begins before the event is handled, however long that takes.
      const end = this.#heed(event);
      yield event;
      if (end !== undefined) return end;
      if (event.event === 'closing') return undefined;
    }
  }

  /** The event that has arrived; undefined where it is none. */
  #eventOf(arrived: Arrived): StreamedEvent | undefined {
    if (arrived.kind === 'event') return arrived.event;
    if (arrived.kind === 'retry') this.#retryMs = arrived.retryMs;
    else this.#refused = arrived.sent;
    return undefined;
  }

  /** Does what an event asks for. */
  #heed(event: StreamedEvent): End {
    switch (event.event) {
      case 'due':
        this.#extend(event.paid, Date.parse(event.ends_at));
        return undefined;
      case 'paused':
        if (event.reason !== 'unpaid') return undefined;
        this.#isPaused = true;
        this.#extend(event.paid, undefined);
        return undefined;
      case 'credited':
        this.#over = undefined;
        return undefined;
      case 'closing':
        if (event.reason === 'replaced') return REPLACED;
        return event.reason === 'unpaid' && this.#paying === undefined ? this.#refusal : undefined;
      case 'resumed':
        this.#isPaused = false;
        return undefined;
      default:
        this.#isPaused = false;
        this.#aheadMs = Date.parse(event.at) - this.#parts.now();
        return undefined;
    }
  }

  /** Buys the next minutes, once for each sum of paid ones. */
  #extend(paid: number, endsAt: number | undefined): void {
    if (this.#paying !== undefined || paid <= this.#paidFor) return;
    const query = new URLSearchParams({ extends: this.#state.stream?.id ?? '' });
    this.#paying = this.#purse
      .buy(query, this.#uses, this.#signal)
      .then((purchase) => ({ kind: 'paid', paid, endsAt, purchase }));
  }

  /** Heeds how a payment has ended. A stream that is not paid on is read to the end of what is paid. */
  #paid({ paid, endsAt, purchase }: Extract<Happened, { kind: 'paid' }>): End {
    this.#paying = undefined;
    if (purchase === 'full') {
      if (endsAt === undefined || this.#isPaused) return null;
      const { http, now } = this.#parts;
      const ms = endsAt - now() - this.#aheadMs - MARGIN_MS;
      const over: Promise<Happened> = http
        .sleep(Math.max(ms, 0), this.#signal)
        .then(() => ({ kind: 'over' }));
      this.#over = over;
      return undefined;
    }
    this.#refusal = purchase.ok ? undefined : purchase.problem;
    if (purchase.ok) this.#paidFor = paid;
    return this.#isPaused ? this.#refusal : undefined;
  }

  /** Notes what was spent. */
  #bought(purchase: Purchase): BoughtMinutes | undefined {
    const { spentUsd } = this.#purse;
    this.#state.spentUsd = spentUsd;
    if (purchase === 'full' || !purchase.ok) return undefined;
    return { event: 'bought', minutes: purchase.minutes, spentUsd };
  }
}

/** Paid minutes that a minute of a selection is likely to take; the answer to its purchase says how many. */
function likelyUses({ symbol, topics = [] }: FollowOptions): number {
  if (symbol === undefined) return MOST_USES;
  const quotes = topics.includes('quotes') ? Math.ceil(symbol.length / STEP_QUOTES) : 0;
  const signals = topics.includes('signals') ? 1 : 0;
  return Math.min(MOST_USES, Math.ceil(symbol.length / STEP_ASSETS) + quotes + signals);
}

const usesOf = (selection: unknown): number =>
  typeof selection === 'object' && selection !== null && 'uses' in selection ? Number(selection.uses) : 1;

const tooFew = (uses: number): Problem => ({
  code: 'too_few_minutes',
  charged: false,
  detail: `A minute of this stream takes ${uses} paid minutes: allow as many by minutes, or name fewer assets.`,
});

/**
 * The reason for which a stream cannot be opened again; undefined where that can pass.
 *
 * @param isNew true of a stream that was just bought: a service of several hosts may not know it everywhere yet
 */
function lastingOf(sent: Sent, isNew: boolean): Problem | undefined {
  if (!('reply' in sent) || sent.reply === undefined) return undefined;
  const { reply } = sent;
  const { status } = reply;
  if (status === 429 || status >= 500 || (status === 404 && isNew)) return undefined;
  const isRedirect = sent.code === 'redirected' || status < 400;
  return problemOf(isRedirect ? { code: 'redirected', reply } : reply);
}
