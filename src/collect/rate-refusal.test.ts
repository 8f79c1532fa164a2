import { describe, expect, it } from 'vitest';
import { type CollectorRig, eachWithRig, marks } from '../../test/collect/collector-rig.ts';
import type { Budget } from '../venues/adapter.ts';
import type { LimitSigns } from './rate-refusal.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});

const budgetOf = (signs: LimitSigns): Budget => ({
  id: 'v',
  pools: [
    { name: 'default', limit: 100, perMs: 4000 },
    { name: 'other', limit: 100, perMs: 4000 },
  ],
  ...signs,
});
const LIMIT_BODY = { limitBody: { field: 'retCode', codes: ['10006', 'TOO_MANY'] } };
const LIMIT_STATUS = { limitStatus: { status: 403, text: 'too frequent', banMs: 600_000 } };

async function collectFrom(signs: LimitSigns) {
  const made = rig.collect([rig.venueAt('v', { budget: budgetOf(signs) })]);
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
    ['a code of a venue that names none', {}, '{"retCode":10006}'],
  ])('with %s pauses nothing', async (_, signs, body) => {
    rig.answers['/v/marks'] = (res) => res.end(body);
    const { made, pauses } = await collectFrom(signs);
    await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/error_body/));
    expect(pauses()).toBe(0);
  });
});

describe('a status that a venue has for a limit that was met', () => {
  it('a ban in the body, in any case and form: the whole host pauses', async () => {
    rig.answers['/v/marks'] = (res) => res.writeHead(403).end('403, Access Too Frequent!');
    const { made, pools } = await collectFrom(LIMIT_STATUS);
    await rig.until(() =>
      expect(made.health.of('v')?.lastError).toBe('marks: rate_limited: HTTP 403, pausing for 600 s'),
    );
    expect([pools()?.default?.pauses, pools()?.other?.pauses]).toEqual([1, 1]);
    const sent = rig.hits.length;
    await rig.time.advance(60_000);
    expect(rig.hits).toHaveLength(sent);
  });

  it.each([
    ['another text, as of a blocked country', LIMIT_STATUS, 403, 'blocked in your country'],
    ['another status', LIMIT_STATUS, 401, 'too frequent'],
    ['a venue that states none', {}, 403, 'too frequent'],
  ])('with %s pauses nothing', async (_, signs, status, body) => {
    rig.answers['/v/marks'] = (res) => res.writeHead(status).end(body);
    const { made, pauses } = await collectFrom(signs);
    await rig.until(() =>
      expect(made.health.of('v')?.lastError).toMatch(new RegExp(`status: HTTP ${status}`)),
    );
    expect(pauses()).toBe(0);
  });
});
