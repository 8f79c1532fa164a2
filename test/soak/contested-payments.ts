import { wait } from '../../src/runtime/timer.ts';
import { type Buying, type Headers, keyed, present, type Shop, signPayment } from './presented-payment.ts';

/** The owner of a payment that is presented: the one that signed it, or one that has seen it. */
interface Buyer {
  readonly headers: Headers;
  isServed: boolean;
}

interface Contest {
  readonly nonce: string;
  readonly buyers: readonly [Buyer, Buyer];
  /** Nobody's payment identifier. */
  readonly bare: Headers;
  readonly bodies: Set<string>;
  /** True if the arrival of an answer may not be noted. */
  mayBeForgotten: boolean;
  isJudged: boolean;
}

export interface ContestResult {
  readonly problems: readonly string[];
  readonly presented: number;
  readonly paid: number;
  /** Given to a further buyer, since it could not be noted that it had arrived. */
  readonly again: number;
}

export interface AfterFault {
  readonly shops: readonly Shop[];
  /** The ledger's state of a payment. */
  readonly stateOf: (nonce: string) => Promise<string | undefined>;
  /**
   * True if the fault can end the delivering process, or its ledger, before it is noted that the answer has
   * arrived.
   */
  readonly losesNotes: boolean;
}

const POLL_MS = 500;
/** A host that ended may have had the answer on its way: so long it counts as that. */
const PATIENCE_MS = 90_000;

/**
 * Payments that two buyers present in the same moment, each at another shop, and a third one later. The owner
 * of the payment identifier of the first to come gets the answer as often as it asks; none of the others does,
 * once it has arrived.
 */
export class ContestedPayments {
  readonly #buying: Buying;
  readonly #contests: Contest[] = [];
  readonly #problems: string[] = [];
  #again = 0;

  constructor(buying: Buying) {
    this.#buying = buying;
  }

  /** Signs so many and begins to present each; what is returned says the statuses once all are answered. */
  async begin(
    count: number,
    [one, other]: readonly [Shop, Shop],
    losesNotes: boolean,
  ): Promise<() => Promise<readonly number[]>> {
    const made = await Promise.all(Array.from({ length: count }, () => this.#sign(losesNotes)));
    this.#contests.push(...made);
    const asking = made.flatMap((contest) => {
      const [a, b] = this.#buying.random.chance(0.5) ? [one, other] : [other, one];
      return [ask(a, contest, contest.buyers[0]), ask(b, contest, contest.buyers[1])];
    });
    return () => Promise.all(asking);
  }

  /** Has a further buyer ask for what was sold, and the first for what nobody got. Call it when all is well again. */
  async judge({ shops, stateOf, losesNotes }: AfterFault): Promise<void> {
    for (const contest of this.#contests) {
      if (contest.isJudged) continue;
      contest.mayBeForgotten ||= losesNotes;
      const { nonce, buyers, bare, bodies, mayBeForgotten } = contest;
      const served = buyers.filter(({ isServed }) => isServed).length;
      if (served === 0) {
        const [shop] = shops;
        if (shop !== undefined) await ask(shop, contest, buyers[0]);
        continue;
      }
      contest.isJudged = true;
      if (served === 2) this.#count(nonce, mayBeForgotten, 'two buyers were given its answer');
      const state = await stateOf(nonce);
      let given = 0;
      for (const shop of shops) if ((await present(shop, bare, bodies)).status === 200) given++;
      if (given === 0) continue;
      const isExplained = mayBeForgotten && state !== 'delivered' && given === 1;
      this.#count(nonce, isExplained, `given ${given} times to a further buyer when it was ${state}`);
    }
  }

  /** @param paidNonces what was paid, when the books are closed */
  async end(paidNonces: ReadonlySet<string>, shops: readonly Shop[]): Promise<ContestResult> {
    const until = performance.now() + PATIENCE_MS;
    for (const contest of this.#contests) {
      const isPaid = paidNonces.has(contest.nonce);
      while (isPaid && contest.bodies.size === 0 && performance.now() < until) {
        for (const shop of shops) await ask(shop, contest, contest.buyers[0]);
        if (contest.bodies.size === 0) await wait(POLL_MS);
      }
      const { nonce, bodies } = contest;
      if (isPaid && bodies.size === 0) this.#problems.push(`${nonce}: paid, and answered to nobody`);
      if (!isPaid && bodies.size > 0) this.#problems.push(`${nonce}: served unpaid`);
      if (bodies.size > 1) this.#problems.push(`${nonce}: ${bodies.size} products for one payment`);
    }
    const paid = this.#contests.filter(({ nonce }) => paidNonces.has(nonce)).length;
    const presented = this.#contests.length;
    const again = this.#again;
    return { problems: this.#problems, presented, paid, again };
  }

  #count(nonce: string, isExplained: boolean, what: string): void {
    if (isExplained) this.#again++;
    else this.#problems.push(`${nonce}: ${what}`);
  }

  async #sign(mayBeForgotten: boolean): Promise<Contest> {
    const { nonce, headers } = await signPayment(this.#buying);
    const name = nonce.slice(2, 40);
    const seen = this.#buying.random.chance(0.5) ? headers : keyed(headers, `other-${name}`);
    return {
      nonce,
      bare: headers,
      bodies: new Set(),
      mayBeForgotten,
      isJudged: false,
      buyers: [
        { headers: keyed(headers, `order-${name}`), isServed: false },
        { headers: seen, isServed: false },
      ],
    };
  }
}

async function ask(shop: Shop, { bodies }: Contest, buyer: Buyer): Promise<number> {
  const { status } = await present(shop, buyer.headers, bodies);
  buyer.isServed ||= status === 200;
  return status;
}
