import { Budget } from '../budget.ts';
import type { Sent } from '../http.ts';
import { jsonOf } from '../problems.ts';
import type { Bought } from '../purse.ts';
import type { Failed, Problem } from '../result.ts';
import { overBudget } from '../spending.ts';
import { usdOf } from '../usd.ts';
import type { FollowOptions } from './options.ts';
import type { FollowParts } from './parts.ts';

/** Paths of minutes that are bought, those of more minutes first. */
const SIZES = [
  { name: 'ten-minutes', minutes: 10 },
  { name: 'minute', minutes: 1 },
] as const;
type Size = (typeof SIZES)[number];

/** The longest pause between two attempts is that of so many. */
const MOST_ATTEMPTS = 6;

/** Minutes that were bought; `full` where no more of them may be. */
export type Purchase =
  | { readonly ok: true; readonly answer: ReturnType<typeof jsonOf>; readonly minutes: number }
  | Failed
  | 'full';

/** Buys the minutes of one stream within its own caps. A payment without an outcome is presented again. */
export class MinutePurse {
  readonly #parts: FollowParts;
  readonly #options: FollowOptions;
  readonly #budget: Budget;
  /** Signed for what was refused: it pays for the next minutes of the same price. */
  #idle = 0n;
  #purchases = 0;
  #bought = 0;

  /** @throws RangeError for a cap that is no amount */
  constructor(parts: FollowParts, options: FollowOptions) {
    const { maxUsd, maxUsdPerHour } = options;
    this.#parts = parts;
    this.#options = options;
    this.#budget = new Budget({ perCall: maxUsd, perHour: maxUsdPerHour, total: maxUsd });
  }

  /** Spent, promised and possibly paid. */
  get spentUsd(): string {
    return usdOf(this.#budget.spent());
  }

  /**
   * Buys minutes: one by a channel, else ten, where a cap allows them.
   *
   * @param query the selection, or what is extended
   * @param uses paid minutes that a minute of the stream takes
   */
  async buy(query: URLSearchParams, uses: number, signal: AbortSignal): Promise<Purchase> {
    const sizes = await this.#sizes(uses);
    let last: Failed | undefined;
    for (const { name, minutes } of sizes) {
      const bought = await this.#settle(`/v1/stream/${name}?${query}`, signal);
      if (bought.ok) {
        const answer = jsonOf(bought.reply);
        this.#bought += minutes;
        return { ok: true, answer, minutes };
      }
      last = bought;
      if (bought.problem.code !== 'over_budget') break;
    }
    return last ?? 'full';
  }

  async #sizes(uses: number): Promise<readonly Size[]> {
    const { purse, baseUrl } = this.#parts;
    const { minutes: most = Number.POSITIVE_INFINITY } = this.#options;
    const fit = SIZES.filter(({ minutes }) => minutes >= uses && minutes <= most - this.#bought);
    const { origin } = new URL(baseUrl);
    const open = await purse?.channels?.list().catch(() => []);
    const isByChannel = open?.some((channel) => channel.state === 'open' && channel.origin === origin);
    return isByChannel === true ? fit.slice(-1) : fit;
  }

  /** Asks until it is known whether the minutes were bought. */
  async #settle(path: string, signal: AbortSignal): Promise<Bought> {
    const { request, http } = this.#parts;
    for (let attempt = 1; ; attempt += 1) {
      let asked = 0n;
      const approve = (amount: bigint): Problem | undefined => {
        const objection = this.#take(amount);
        if (objection === undefined) asked = amount;
        return objection;
      };
      const bought = await request(path, { signal, approve });
      if (bought.ok) return bought;
      if (bought.problem.charged === false) this.#idle += asked;
      const isOver = signal.aborted || !this.#canPass(path, bought.problem);
      if (isOver || !(await http.rest(Math.min(attempt, MOST_ATTEMPTS), sentOf(bought.problem), signal)))
        return bought;
    }
  }

  #canPass(path: string, problem: Problem): boolean {
    const { purse, baseUrl } = this.#parts;
    const { status = 0 } = problem.reply ?? {};
    const isOpen = purse?.open(new URL(path, baseUrl)) !== undefined;
    return isOpen || problem.code === 'unreachable' || status === 429 || status >= 500;
  }

  #take(amount: bigint): Problem | undefined {
    if (this.#idle >= amount) {
      this.#idle -= amount;
      return undefined;
    }
    this.#purchases += 1;
    const over = this.#budget.reserve(String(this.#purchases), amount, this.#parts.now());
    if (over === undefined) return undefined;
    const [cap, name] =
      over.cap === 'hour' ? (['hour', 'maxUsdPerHour'] as const) : (['total', 'maxUsd'] as const);
    const said = overBudget(amount, { cap, left: over.left });
    const detail = `${said.detail} It is the stream's own cap, ${name}: follow the stream again by its id and secret with a higher one; what it has left is kept for thirty days.`;
    return { ...said, detail };
  }
}

const sentOf = ({ reply }: Problem): Sent =>
  reply === undefined ? { code: 'unreachable', cause: undefined } : { code: 'replied', reply };
