import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROUTES } from '../../src/modules/routes.ts';
import { OperatorRules, rulesFileFaults } from '../../src/modules/watch-rules/rules.ts';
import { readRules } from '../../src/modules/watch-rules/rules-file.ts';
import { marketRig, watchRig } from './watch-rig.ts';

const PAGE = readFileSync('docs/watches.md', 'utf8');

/** The block of the page that is marked so. */
function block(name: string): string {
  const found = new RegExp(`<!-- runs: ${name} -->\\n\`\`\`\\w*\\n([^]*?)\`\`\``).exec(PAGE);
  if (found?.[1] === undefined) throw new Error(`the page has no ${name}`);
  return found[1];
}

function rulesIn(text: string) {
  const read = readRules(text);
  if (!read.ok) throw new Error(read.errors.join('; '));
  return read.rules;
}

function rigOf() {
  const market = marketRig();
  market.list('binance', ['BTC']);
  market.list('okx', ['BTC']);
  const rig = watchRig(market);
  onTestFinished(() => rig.close());
  rig.turn();
  const parts = { desk: rig.desk, market: market.market.view, routes: ROUTES };
  return { ...rig, market, parts };
}

describe('the form of a file of rules', () => {
  it('comments, quotes and an empty file: read', () => {
    const rules = rulesIn(
      '# mine\nwatches:\n  - name: a # first\n    kind: "funding"\n    ticker: \'BTC\'\n',
    );
    expect(rules.map(({ name, fields }) => [name, [...fields]])).toEqual([
      [
        'a',
        [
          ['kind', 'funding'],
          ['ticker', 'BTC'],
        ],
      ],
    ]);
    expect(rulesIn('')).toEqual([]);
  });

  it.each([
    ['kind: funding', 'line 1'],
    ['- name: a\n  kind: [funding]', 'line 2'],
    ['- name: a\n  kind: funding\n  kind: flip', 'kind is there twice'],
    ['- name: a\n- name: a', 'name of two rules'],
    ['- name: A B\n  kind: funding', 'name must be'],
    ['- name: a\n  nonsense', 'line 2'],
  ])('%j: refused with its place', (text, words) => {
    const read = readRules(text);
    expect(read.ok ? [] : read.errors.join('; ')).toContain(words);
  });

  it('a file: faults of parameters name their rule, a good one has none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'watches.yml');
    writeFileSync(path, '- name: a\n  kind: nothing\n  above: x\n');
    expect(rulesFileFaults(path).join()).toContain('rule a (line 1): kind: must be one of');
    writeFileSync(path, block('operator'));
    expect(rulesFileFaults(path)).toEqual([]);
    expect(rulesFileFaults(join(folder, 'none')).join()).toContain('cannot be read');
  });
});

describe('the rules of an operator', () => {
  it('those of the page: held under their names, without an end', () => {
    const { parts, market, engine, desk } = rigOf();
    const rules = new OperatorRules(rulesIn(block('operator')), parts);
    rules.turn(market.now());
    expect(rules.states.map(({ name, fault }) => [name, fault])).toEqual([
      ['btc-funding', undefined],
      ['okx-silent', undefined],
    ]);
    expect(engine.size).toBe(2);
    expect(desk.find('rule-btc-funding')).toMatchObject({
      rule: 'btc-funding',
      format: 'text',
      condition: { kind: 'funding', venue: 'binance', for_minutes: 10 },
    });
  });

  it('an asset that no venue lists yet: taken up once one does', () => {
    const { parts, market, engine } = rigOf();
    const text = '- name: a\n  kind: funding\n  ticker: NEW\n  venue: binance\n  above: 1';
    const rules = new OperatorRules(rulesIn(text), parts);
    rules.turn(market.now());
    expect(rules.states[0]?.fault).toContain('NEW');
    market.list('binance', ['BTC', 'NEW']);
    market.pass(6000);
    rules.turn(market.now());
    expect([rules.states[0]?.fault, engine.size]).toEqual([undefined, 1]);
  });

  it('changed, then removed: numbers go on, and its end is told', () => {
    const { parts, market, told, store } = rigOf();
    const rule = (level: string) =>
      rulesIn(`- name: a\n  kind: funding\n  ticker: BTC\n  venue: binance\n  above: ${level}`);
    const begin = (rules: ReturnType<typeof rulesIn>): void =>
      new OperatorRules(rules, parts).turn(market.now());
    begin(rule('0.001'));
    begin(rule('0.001'));
    begin(rule('0.002'));
    expect(store.watch('rule-a')?.condition.above).toBe(0.002);
    begin([]);
    expect(told.map(({ kind, reason, seq }) => [kind, reason, seq])).toEqual([['ended', 'removed', 1]]);
    begin(rule('0.002'));
    expect(store.watch('rule-a')).toMatchObject({ endedAt: undefined, progress: { seq: 1 } });
  });
});
