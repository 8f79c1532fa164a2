import type { PaymentRecord } from '../../src/pay/record.ts';
import type { Scenario, World } from './model-world.ts';

/** Problems and challenges that tell the buyer that nothing was charged. */
const SAYS_UNPAID = /nothing was charged|"x402Version"/;

/** Breaches of the rules by a finished run. */
export async function breaches(
  world: World,
  scenario: Scenario,
  mayRepeat: boolean,
): Promise<readonly string[]> {
  const records = await world.ledger.list({ limit: 100 });
  return [
    ...servedUnpaid(world, scenario),
    ...servedTwice(world, scenario, mayRepeat),
    ...paidTwice(world),
    ...paidUnserved(world, scenario, records),
    ...(scenario.misreports === true ? [] : saidUnpaid(world)),
    ...leftOpen(world, scenario, records),
    ...(world.lateAsks > 0 ? ['asked for money after its lease'] : []),
    ...world.errors.map((cause) => `an error: ${String(cause)}`),
  ];
}

function servedUnpaid({ got }: World, _scenario: Scenario): readonly string[] {
  return got.some(({ status, paidBefore }) => status === 200 && !paidBefore) ? ['served unpaid'] : [];
}

/**
 * Without a payment identifier one whole answer; one more where a kill came between its last byte and the note of
 * it, or where its way to the buyer took longer than it is waited for.
 */
function servedTwice(
  { got, served }: World,
  { id, resigns }: Scenario,
  mayRepeat: boolean,
): readonly string[] {
  const products = new Set(got.filter(({ status }) => status === 200).map(({ text }) => text));
  const most = id === true || resigns === true ? Number.POSITIVE_INFINITY : mayRepeat ? 2 : 1;
  return [
    ...(products.size > 1 ? ['two products for one purchase'] : []),
    ...(served > most ? [`served ${served} times`] : []),
  ];
}

/** Also where each presentation was signed anew: under one identifier one of them may move money. */
function paidTwice({ chain, took }: World): readonly string[] {
  return [
    ...(chain.transfers > 1 ? ['paid twice'] : []),
    ...(took.size > 1 ? ['settled by two facilitators'] : []),
  ];
}

/** A buyer who comes back within ten minutes has his answer; else the ledger still says what is not known. */
function paidUnserved(
  world: World,
  { proof }: Scenario,
  records: readonly PaymentRecord[],
): readonly string[] {
  if (!world.chain.isPaid || world.servedInTime) return [];
  if (!proof && records.some(({ state }) => state === 'unknown')) return [];
  return [`paid and unserved; in the ledger: ${records.map(({ state }) => state).join(', ')}`];
}

function saidUnpaid({ got }: World): readonly string[] {
  return got
    .filter(({ status, text, paidBefore, servedBefore }) => {
      return status !== 200 && paidBefore && !servedBefore && SAYS_UNPAID.test(text);
    })
    .map(({ status, text }) => `said to be unpaid when it was paid: ${status} ${text.slice(0, 160)}`);
}

/** In the end the ledger agrees with the chain, waits for nothing, and keeps no answer. */
function leftOpen(world: World, { proof }: Scenario, records: readonly PaymentRecord[]): readonly string[] {
  const { chain, nonces, answerBytes } = world;
  const wrong = nonces.flatMap((nonce) => {
    const record = records.find((known) => known.nonce === nonce);
    const state = record?.state ?? 'released';
    const closed = state === 'unknown' && record?.closedAt !== undefined;
    const use = chain.useOf(nonce);
    const expected = use === 'paid' ? ['settled', 'delivered'] : ['refused', 'released'];
    const agrees = expected.includes(state) || (!proof && closed);
    return [
      ...(agrees ? [] : [`the chain says ${use}, the ledger ${state} in the end`]),
      ...(record?.dueAt === undefined ? [] : [`still due as ${state}`]),
    ];
  });
  return [...wrong, ...(answerBytes > 0 ? ['an answer is kept for nobody'] : [])];
}
