import type { UnixMs } from '../domain/units.ts';
import { draftOf, type PaymentRecord } from './record.ts';

/**
 * The newest sale of each account whose answer has arrived, of those that this process made. Its answer stays until the next one
 * arrives or its time is over, so that the same payment gets it again: its arrival is noted only then.
 */
export class KeptAnswers {
  /** By account, in the order in which they arrived. */
  readonly #newest = new Map<string, PaymentRecord>();

  /** Keeps the answer of a sale; those that are let go of for it. */
  keep(account: string, sale: PaymentRecord, now: UnixMs): readonly PaymentRecord[] {
    const former = this.#newest.get(account);
    if (former !== undefined && former.claimedAt > sale.claimedAt) return [sale];
    this.#newest.delete(account);
    this.#newest.set(account, Object.assign(draftOf(sale), { deliveredAt: sale.deliveredAt ?? now }));
    const over = this.#over(now);
    return former === undefined || former.key === sale.key ? over : [former, ...over];
  }

  #over(now: UnixMs): readonly PaymentRecord[] {
    const over: PaymentRecord[] = [];
    for (const [account, sale] of this.#newest) {
      if ((sale.answerUntil ?? now) > now) break;
      this.#newest.delete(account);
      over.push(sale);
    }
    return over;
  }
}
