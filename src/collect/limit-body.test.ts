import { describe, expect, it } from 'vitest';
import { type CollectorRig, eachWithRig, marks } from '../../test/collect/collector-rig.ts';
import type { Budget } from '../venues/adapter.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});

const budgetOf = (limitBody?: Budget['limitBody']): Budget => ({
  id: 'v',
  pools: [
    { name: 'default', limit: 100, perMs: 4000 },
    { name: 'other', limit: 100, perMs: 4000 },
  ],
  ...(limitBody !== undefined && { limitBody }),
});
const LIMIT_BODY = { field: 'retCode', codes: ['10006', 'TOO_MANY'] };

async function collectFrom(limitBody?: Budget['limitBody']) {
  const made = rig.collect([rig.venueAt('v', { budget: budgetOf(limitBody) })]);
  await made.start();
  const pools = () => made.stats().budgets.v?.pools;
  return { made, pauses: () => pools()?.default?.pauses, pools };
}

describe('an answer of status 200 whose body says that a limit was met', () => {
  it.each([10_006, '10006', 'TOO_MANY'])('pauses the pool as a 429 does: %j', async (retCode) => {
    rig.answers['/v/marks'] = (res) => res.end(JSON.stringify({ retCode, result: {} }));
    const { made, pauses, pools } = await collectFrom(LIMIT_BODY);
    await rig.until(() => expect(pauses()).toBe(1));
    expect(made.stats().venues.v?.polls.marks?.failures.rate_limited).toBe(1);
    expect(made.health.of('v')?.lastError).toBe(
      `marks: rate_limited: retCode ${retCode} in the answer, pausing for 4 s`,
    );
    expect(pools()?.other?.pauses).toBe(0);
    const sent = rig.hits.length;
    await rig.time.advance(3000);
    expect(rig.hits).toHaveLength(sent);
  });

  it('doubles the pause while it goes on, and starts over after a success', async () => {
    const refuse = (): void => {
      rig.answers['/v/marks'] = (res) => res.end('{"retCode":10006}');
    };
    refuse();
    const { made, pauses } = await collectFrom(LIMIT_BODY);
    const lastError = () => made.health.of('v')?.lastError;
    await rig.until(() => expect(lastError()).toMatch(/pausing for 4 s/));
    await rig.until(() => expect(lastError()).toMatch(/pausing for 8 s/));
    rig.answers['/v/marks'] = marks('A');
    await rig.until(() => expect(lastError()).toBeUndefined());
    refuse();
    await rig.until(() => expect(lastError()).toMatch(/pausing for 4 s/));
    expect(pauses()).toBe(3);
  });

  it('waits for as long as its headers ask', async () => {
    rig.answers['/v/marks'] = (res) => {
      res.setHeader('retry-after', '7');
      res.end('{"retCode":10006}');
    };
    const { made } = await collectFrom(LIMIT_BODY);
    await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/pausing for 7 s/));
  });
});

describe('an error body of status 200', () => {
  it.each([
    ['another code', LIMIT_BODY, '{"retCode":10001}'],
    ['the code in another field', LIMIT_BODY, '{"code":10006}'],
    ['a code of a venue that names none', undefined, '{"retCode":10006}'],
  ])('with %s pauses nothing', async (_, limitBody, body) => {
    rig.answers['/v/marks'] = (res) => res.end(body);
    const { made, pauses } = await collectFrom(limitBody);
    await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/error_body/));
    expect(pauses()).toBe(0);
  });
});
