import { describe, expect, test } from 'vitest';
import { memoryIdentityStore } from '../../test/market/memory-stores.ts';
import { asMs } from '../domain/units.ts';
import { changeIdentity, type IdentityRequest } from './change-identity.ts';
import { createInstrumentIdentities } from './identity.ts';
import { makeInstrument } from './market-fixture.ts';
import { applyDecision, memoryDecisionStore } from './operator-decisions.ts';

const T0 = asMs(1_790_000_000_000);

/** Merges of what binance lists, by base names, and who a contract of another venue is that comes after them. */
async function merged(...merges: readonly (readonly [from: string, to: string])[]) {
  const identity = createInstrumentIdentities(memoryIdentityStore());
  const decisions = memoryDecisionStore();
  for (const base of ['AAA', 'BBB', 'CCC']) identity.assign(makeInstrument({ base }), T0);
  const change = async (request: IdentityRequest): Promise<void> => {
    const made = await changeIdentity({ identity, decisions }, request, 'one asset', asMs(T0 + 1000));
    expect(made).toMatchObject({ ok: true });
  };
  for (const [from, to] of merges)
    await change({ action: 'merge', from: `crypto:${from}`, to: `crypto:${to}` });
  const laterId = (base: string) =>
    identity.assign(makeInstrument({ venue: 'gate', base }), asMs(T0 + 2000))?.canonicalId;
  return { identity, decisions, change, laterId };
}

describe('a contract that is listed after merges', () => {
  test('is what a chain of them leads to in the end', async () => {
    const { laterId } = await merged(['AAA', 'BBB'], ['BBB', 'CCC']);
    expect(['AAA', 'BBB', 'CCC'].map(laterId)).toEqual(['crypto:CCC', 'crypto:CCC', 'crypto:CCC']);
  });

  test('is what the last one says where two ids were merged there and back', async () => {
    const { laterId } = await merged(['BBB', 'AAA'], ['AAA', 'BBB']);
    expect(['AAA', 'BBB'].map(laterId)).toEqual(['crypto:BBB', 'crypto:BBB']);
  });

  test('all decisions carried out once more: the same result', async () => {
    const { identity, decisions, laterId } = await merged(['BBB', 'AAA'], ['AAA', 'BBB'], ['BBB', 'CCC']);
    for (const decision of decisions.since(0)) applyDecision(identity, decision);
    expect(['AAA', 'BBB'].map(laterId)).toEqual(['crypto:CCC', 'crypto:CCC']);
  });

  test('follows those that stand where one was undone', async () => {
    const { change, laterId } = await merged(['AAA', 'BBB'], ['BBB', 'CCC']);
    await change({ action: 'undo', sequence: 2 });
    expect(['AAA', 'BBB'].map(laterId)).toEqual(['crypto:BBB', 'crypto:BBB']);
  });
});
