import { atomicOf, least, usdOf } from '../../packages/client/src/usd.ts';
import { DOORS, type Door } from './doors.ts';
import type { AgentMarket } from './market.ts';
import type { Policy } from './policies.ts';
import { isRight, type Question } from './question.ts';
import { truthOf } from './truths.ts';

/** The result of one policy over all questions. */
export interface Outcome {
  readonly door: Door;
  readonly policy: string;
  readonly right: number;
  /** Questions that were not answered rightly, each with its answer and the truth. */
  readonly wrong: readonly { readonly id: string; readonly said: unknown; readonly truth: unknown }[];
  readonly spentUsd: string;
  /** The growth of the receiver's balance. */
  readonly earnedUsd: string;
  readonly tokens: { readonly read: number; readonly written: number };
  readonly boughtTwice: number;
}

export interface Run {
  readonly market: AgentMarket;
  readonly door: Door;
  readonly name: string;
  readonly policy: Policy;
  readonly questions: readonly Question[];
  readonly budgetUsd: string;
}

/** Asks a policy all questions, with one budget for all of them. */
export async function runPolicy({ market, door, name, policy, questions, budgetUsd }: Run): Promise<Outcome> {
  const before = await market.service.earned();
  const { shop, close } = await DOORS[door](market, budgetUsd);
  const wrong: { id: string; said: unknown; truth: unknown }[] = [];
  try {
    for (const question of questions) {
      const truth = truthOf(question, market.world);
      const said = await policy(question, shop);
      if (!isRight(question, said, truth)) wrong.push({ id: question.id, said, truth });
    }
  } finally {
    await close();
  }
  return {
    door,
    policy: name,
    right: questions.length - wrong.length,
    wrong,
    spentUsd: shop.spentUsd,
    earnedUsd: usdOf((await market.service.earned()) - before),
    tokens: shop.tokens,
    boughtTwice: shop.boughtTwice,
  };
}

/** The price of the cheapest way to each answer, all together: one that answers several questions is bought for each. */
export function cheapestUsd(questions: readonly Question[], priceOf: (product: string) => string): string {
  const prices = questions.map(({ ways }) => {
    const [first = 0n, ...others] = Object.keys(ways).map((product) => atomicOf(priceOf(product)));
    return least(first, ...others);
  });
  return usdOf(prices.reduce((sum, usd) => sum + usd, 0n));
}
