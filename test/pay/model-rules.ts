import type { World } from './model-world.ts';

/** Problems and challenges that tell the buyer that nothing was charged. */
const SAYS_UNPAID = /nothing was charged|"x402Version"/;

/** Breaches of the rules by a finished run, whatever the way of paying. */
export async function breaches(world: World, mayRepeat: boolean): Promise<readonly string[]> {
  return [
    ...servedUnpaid(world),
    ...servedTwice(world, mayRepeat),
    ...saidUnpaid(world),
    ...(await leftOpen(world)),
    ...(await world.way.breaches(world)),
    ...world.noted,
    ...world.errors.map((cause) => `an error: ${String(cause)}`),
  ];
}

function servedUnpaid({ got }: World): readonly string[] {
  return got.some(({ status, paidBefore }) => status === 200 && !paidBefore) ? ['served unpaid'] : [];
}

/**
 * One answer more than there may be where a kill came between its last byte and the note of it, or where its way to the
 * buyer took longer than it is waited for.
 */
function servedTwice({ got, way }: World, mayRepeat: boolean): readonly string[] {
  const most =
    way.mostAnswers === undefined ? Number.POSITIVE_INFINITY : way.mostAnswers + (mayRepeat ? 1 : 0);
  return [...new Set(got.map(({ purchase }) => purchase))].flatMap((purchase) => {
    const good = got.filter((answer) => answer.purchase === purchase && answer.status === 200);
    const arrived = good.filter(({ complete }) => complete).length;
    return [
      ...(new Set(good.map(({ text }) => text)).size > 1 ? ['two products for one purchase'] : []),
      ...(arrived > most ? [`served ${arrived} times`] : []),
    ];
  });
}

function saidUnpaid({ got, way }: World): readonly string[] {
  if (way.misleads === true) return [];
  return got
    .filter(({ status, text, paidBefore, servedBefore }) => {
      return status !== 200 && paidBefore && !servedBefore && SAYS_UNPAID.test(text);
    })
    .map(({ status, text }) => `said to be unpaid when it was paid: ${status} ${text.slice(0, 160)}`);
}

/** In the end the ledger waits for nothing, and keeps no answer. */
async function leftOpen({ ledger, answerBytes }: World): Promise<readonly string[]> {
  const due = (await ledger.list({ limit: 100 })).filter(({ dueAt }) => dueAt !== undefined);
  return [
    ...due.map(({ state }) => `still due as ${state}`),
    ...(answerBytes > 0 ? ['an answer is kept for nobody'] : []),
  ];
}
