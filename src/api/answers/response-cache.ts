import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { RenderedAnswer } from '../../products/answer/product-answer.ts';
import type { DataDependency, Plan } from '../../products/define-product.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { Port } from '../../runtime/port.ts';
import type { Timer } from '../../runtime/timer.ts';
import {
  COMMON_HEADERS,
  commonHeaders,
  type FlatHeaders,
  freeCaching,
  PAID_CACHING,
  UNCACHED_HEADERS,
} from '../headers.ts';
import type { Target } from '../request/target.ts';
import type { Route, Services } from '../route.ts';
import { Answer } from './answer.ts';
import { AnswerLru } from './answer-lru.ts';
import { askForBooks, type BookWaitParts, waitForBooks } from './book-wait.ts';
import { publicAnswer } from './public-answer.ts';
import { TableVersion } from './table-version.ts';

/** Seconds a cache may keep a free answer of each class. */
const MAX_AGE_SECONDS: Readonly<Record<DataDependency, number>> = {
  table: 5,
  books: 1,
  history: 60,
  'table-history': 5,
  second: 1,
  document: 300,
};

export interface ResponseCacheOptions {
  /** Times the waits for books. */
  readonly timer: Timer;
  /** The extra time for which an answer may be used after the table changed, ms. */
  readonly coalesceMs: number;
  readonly maxBytes: number;
}

/** A request whose wait for books was cut short: its client is gone, or the service stops. */
const CUT: Failure = {
  code: 'not_ready',
  detail: 'The request was ended while the order books that it rests on were fetched: nothing was charged.',
  retryAfterSeconds: 5,
};

/** Produces the answer of a valid request, and caches it for its version of the data. */
export class ResponseCache {
  readonly store: AnswerLru;
  readonly #services: Services;
  readonly #table: TableVersion;
  readonly #headers = new Map<Route, FlatHeaders>();
  readonly #priceChanges: readonly number[];
  readonly #waits: BookWaitParts;

  constructor(services: Services, { timer, coalesceMs, maxBytes }: ResponseCacheOptions) {
    this.#services = services;
    this.#waits = { books: services.books, timer };
    this.store = new AnswerLru(maxBytes);
    this.#table = new TableVersion(services.market, services.clock, coalesceMs);
    this.#priceChanges = services.payments.prices.changelog.map(({ effective }) => Date.parse(effective));
    const sold = [...commonHeaders(services.soldHeaders.map(({ name }) => name)), ...PAID_CACHING];
    for (const route of services.routes) {
      const { access, dependsOn, hasPage, isOwn } = route;
      const caching = isOwn === true ? UNCACHED_HEADERS : freeCaching(MAX_AGE_SECONDS[dependsOn], hasPage);
      const free = [...COMMON_HEADERS, ...caching];
      this.#headers.set(route, access === 'paid' ? sold : free);
    }
  }

  /** The subject of the request, or the reason for refusing it. */
  plan(target: Target): Result<Plan> {
    const input = target.input();
    const plan = input.ok ? target.route.plan(input.value, this.#services) : input;
    return plan.ok ? plan : fail(this.#helped(target, plan.error));
  }

  #helped(target: Target, failure: Failure): Failure {
    return target.helped(failure, (asked) => target.route.plan(asked, this.#services));
  }

  /** As `plan`, of a request that will be answered: the books that it rests on are asked for. */
  check(target: Target): Failure | undefined {
    const plan = this.plan(target);
    if (!plan.ok) return plan.error;
    askForBooks(plan.value, this.#services.books);
    return undefined;
  }

  /**
   * The answer of a request as the data stands once the books that it asks for have come, at most two seconds later.
   *
   * @param signal makes the signal that cuts the wait for books; a request that was cut gets no answer: 503, not charged
   */
  answer(target: Target, signal: () => AbortSignal): Result<Answer> | Promise<Result<Answer>> {
    const waited = this.#waitForBooks(target, signal);
    if (waited === undefined) return this.#current(target);
    return waited.then((isCut) => (isCut ? fail(CUT) : this.#current(target)));
  }

  #waitForBooks(target: Target, signal: () => AbortSignal): Promise<boolean> | undefined {
    if (!target.route.restsOnBooks) return undefined;
    const plan = this.plan(target);
    return plan.ok ? waitForBooks(plan.value, this.#waits, signal) : undefined;
  }

  /** The answer of a request as the data stands now. */
  #current(target: Target): Result<Answer> | Promise<Result<Answer>> {
    const input = target.input();
    if (!input.ok) return fail(this.#helped(target, input.error));
    if (target.route.isOwn === true) return this.#own(target);
    const slot = this.store.slot(target.key());
    const version = this.#version(target.route);
    if (slot.answer !== undefined && slot.version === version) return ok(slot.answer);
    const plan = this.plan(target);
    if (!plan.ok) return plan;
    const { route } = target;
    return this.store.current(slot, {
      version,
      produce: plan.value.produce,
      render: (result) => this.#render(route, result),
    });
  }

  #render(route: Route, result: RenderedAnswer): Answer {
    const isTagged = route.access === 'free' && route.isOwn !== true;
    const headers = this.#headers.get(route) ?? COMMON_HEADERS;
    return new Answer(publicAnswer(route, result, this.#services.clock), headers, isTagged);
  }

  /** The answer of this request alone. */
  #own(target: Target): Result<Answer> | Promise<Result<Answer>> {
    const plan = this.plan(target);
    if (!plan.ok) return plan;
    const render = (made: Result<RenderedAnswer>): Result<Answer> =>
      made.ok ? ok(this.#render(target.route, made.value)) : made;
    const made = plan.value.produce();
    return made instanceof Promise ? made.then(render) : render(made);
  }

  #isFilled(port: Port<unknown> | undefined): boolean {
    return port !== undefined && this.#services.readPort(port) !== port.absent;
  }

  #historyRevision(now: number): number {
    return (this.#services.history?.version ?? 0) + Math.floor(now / MINUTE_MS);
  }

  #version({ dependsOn, beside }: Route): number {
    const { books, market, clock } = this.#services;
    const now = clock.now();
    const second = Math.floor(now / 1000);
    // All of them only grow: their sum tells a change of any.
    if (dependsOn === 'table') return this.#table.current() + (this.#isFilled(beside) ? second : 0);
    // A quote ages though nothing changes.
    if (dependsOn === 'books') return books.version + market.version + second;
    if (dependsOn === 'history') return this.#historyRevision(now);
    if (dependsOn === 'table-history') return this.#historyRevision(now) + this.#table.current();
    if (dependsOn === 'second') return second;
    // Documents change with the prices they state and with nothing else.
    return this.#priceChanges.filter((effective) => effective <= now).length;
  }
}
