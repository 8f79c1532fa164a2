import { describe, expect, it } from 'vitest';
import { readCondition } from '../../src/modules/watch-conditions/condition.ts';
import type { KindName } from '../../src/modules/watch-conditions/kinds.ts';
import { watchKinds } from '../../src/modules/watch-view/watch-kinds.ts';
import { marketRig } from './watch-rig.ts';

interface Kind {
  readonly kind: KindName;
  readonly about: 'contract' | 'asset' | 'venue' | 'calendar';
  readonly requires: readonly string[];
  readonly one_of: readonly string[];
  readonly takes: readonly string[];
}

const rig = marketRig();
rig.list('binance', ['BTC']);
rig.list('okx', ['BTC']);

/** A good value of each parameter. */
const GOOD: Readonly<Record<string, string | number>> = {
  ticker: 'BTC',
  venue: 'binance',
  above: 1,
  below: 1,
  reset: 1,
  for_minutes: 5,
  firings: 3,
  hours: 24,
  days: 30,
  size_usd: 1000,
  fees: 'binance:2',
  webhook: 'https://hooks.example.com/x',
};

const plan = watchKinds.plan({}, rig.ports);
const made = plan.ok ? await plan.value.produce() : plan;
if (!made.ok || !('json' in made.value.content)) throw new Error('no kinds');
const { kinds } = made.value.content.json as { readonly kinds: readonly Kind[] };

/** The fault of a condition with these parameters; undefined where it is understood. */
function faultOf({ kind, about }: Kind, names: readonly string[]): string | undefined {
  const given = names.map((name) => [
    name,
    about === 'asset' && name === 'venue' ? 'binance,okx' : GOOD[name],
  ]);
  const asked = { kind, for_minutes: 0, firings: 100, ...Object.fromEntries(given) };
  const read = readCondition(asked, rig.market.view, () => undefined);
  return read.ok ? undefined : read.error.detail;
}

const least = ({ requires, one_of }: Kind): readonly string[] => [...requires, ...one_of.slice(0, 1)];

describe('the table of kinds as it is served', () => {
  it('kinds: those of the service', () => {
    expect(kinds.map(({ kind }) => kind)).toContain('funding');
    expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(kinds.length);
  });

  it.each(kinds)('$kind: what it requires is enough, and nothing less is', (kind) => {
    expect(faultOf(kind, least(kind))).toBeUndefined();
    for (const name of kind.requires)
      expect(
        faultOf(
          kind,
          least(kind).filter((each) => each !== name),
        ),
      ).toContain(name);
    if (kind.one_of.length > 0) expect(faultOf(kind, kind.requires)).toBeDefined();
    for (const name of kind.one_of) expect(faultOf(kind, [...kind.requires, name])).toBeUndefined();
  });

  it.each(kinds)('$kind: it takes what it says, and nothing else', (kind) => {
    const begin = least(kind);
    for (const name of Object.keys(GOOD)) {
      if (begin.includes(name) || (name === 'below' && begin.includes('above'))) continue;
      const fault = faultOf(kind, [...begin, name]);
      if (kind.takes.includes(name)) expect(fault).toBeUndefined();
      else expect(fault).toContain(name);
    }
  });
});
