import type { Clock } from '../domain/clock.ts';
import { asMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import type { Ledger } from './ledger.ts';
import { PAID_STATES, type PaymentRecord } from './record.ts';
import type { SaleHook } from './sale.ts';
import type { HttpReply } from './types.ts';

/** Sales whose answers are stored are looked at so many at once, those that are let go of first before the others. */
const MOST = 5000;

export interface HeardSalesOptions {
  /** Undefined where nothing is charged. */
  readonly ledger: Pick<Ledger, 'due' | 'answer'> | undefined;
  readonly clock: Clock;
  readonly routeIds: readonly string[];
  /** Hears each sale at least once: it throws or rejects where it has to hear it again. */
  readonly hear: (...sale: Parameters<SaleHook>) => void | Promise<void>;
  /** Hears a fault of a sale the first time. */
  readonly onError: (cause: unknown) => void;
}

/**
 * Sales of some routes for who has to hear all of them: also one whose hook failed, again in each round, and one that was
 * stored by a process which was killed or by another host, as long as its answer is stored.
 */
export class HeardSales {
  readonly #options: HeardSalesOptions;
  /** Sales that failed, until they are heard: their answers may not be stored any more. */
  readonly #failed = new Map<string, { readonly sale: PaymentRecord; readonly answer: HttpReply }>();
  /** Keys of sales that were heard, and whose answers are still stored. */
  #heard = new Set<string>();
  #isRunning = false;

  constructor(options: HeardSalesOptions) {
    this.#options = options;
  }

  readonly hook: SaleHook = (sale, answer) => {
    void this.#tell(sale, answer);
  };

  /** Tells again what failed, and what is stored and was not heard here, the earliest first. Rejects never. */
  async round(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (const { sale, answer } of [...this.#failed.values()]) await this.#tell(sale, answer);
      await this.#readStored();
    } catch (cause) {
      this.#options.onError(cause);
    } finally {
      this.#isRunning = false;
    }
  }

  async #readStored(): Promise<void> {
    const { ledger, clock, routeIds } = this.#options;
    if (ledger === undefined) return;
    // An answer that is stored is due at its end.
    const stored = await ledger.due(asMs(clock.now() + DAY_MS), MOST, PAID_STATES);
    const sales = stored.filter(({ routeId }) => routeIds.includes(routeId));
    const keys = new Set(sales.map(({ key }) => key));
    this.#heard = new Set([...this.#heard].filter((key) => keys.has(key)));
    for (const sale of [...sales].sort((a, b) => a.claimedAt - b.claimedAt)) await this.#read(sale, ledger);
  }

  async #read(sale: PaymentRecord, ledger: Pick<Ledger, 'answer'>): Promise<void> {
    if (this.#heard.has(sale.key) || this.#failed.has(sale.key) || sale.answerId === undefined) return;
    try {
      const answer = await ledger.answer(sale);
      if (answer !== undefined) await this.#tell(sale, answer);
    } catch (cause) {
      this.#options.onError(cause);
    }
  }

  async #tell(sale: PaymentRecord, answer: HttpReply): Promise<void> {
    try {
      await this.#options.hear(sale, answer);
      this.#heard.add(sale.key);
      this.#failed.delete(sale.key);
    } catch (cause) {
      if (!this.#failed.has(sale.key)) this.#options.onError(cause);
      const isOld = this.#options.clock.now() - sale.claimedAt > DAY_MS;
      if (isOld) this.#failed.delete(sale.key);
      else this.#failed.set(sale.key, { sale, answer });
    }
  }
}
