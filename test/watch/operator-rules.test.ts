import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROUTES } from '../../src/modules/routes.ts';
import { OperatorRules, rulesFileFaults } from '../../src/modules/watch-rules/rules.ts';
import { readRules } from '../../src/modules/watch-rules/rules-file.ts';
import { marketRig, type WatchRigOptions, watchRig } from './watch-rig.ts';

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

function rigOf(options: WatchRigOptions = {}, market = marketRig()) {
  market.list('binance', ['BTC']);
  market.list('okx', ['BTC']);
  const rig = watchRig(market, options);
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

  it('all its firings told: ended after a restart, too, until removed', async () => {
    const first = rigOf();
    const { market } = first;
    const rules = rulesIn(
      '- name: once\n  kind: funding\n  ticker: BTC\n  venue: binance\n  above: 0.0005\n  firings: 1\n- name: other\n  kind: flip\n  ticker: BTC\n  venue: okx',
    );
    const quote = (rate: number): void => {
      const row = { symbol: 'BTCUSDT', markPrice: 100, fundingRate: rate, fundingIntervalHours: 8 };
      market.tape.sinks.market.quotes('binance', [row as never], market.now());
    };
    new OperatorRules(rules, first.parts).turn(market.now());
    quote(0.0006);
    first.turn(2);
    expect(first.told.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['fired', undefined],
      ['ended', 'all_firings'],
    ]);
    await first.kill();
    market.pass(20_000);
    const second = rigOf({ folder: first.folder, owner: 'two' }, market);
    new OperatorRules(rules, second.parts).turn(market.now());
    quote(0.0001);
    second.turn(2);
    quote(0.0006);
    second.turn(2);
    expect([second.kinds(), second.engine.size]).toEqual([[], 1]);
    expect(second.desk.find('rule-once')?.endReason).toBe('all_firings');
    new OperatorRules(rules.slice(0, 1), second.parts).turn(market.now());
    expect(second.told).toMatchObject([{ watchId: 'rule-other', kind: 'ended', reason: 'removed' }]);
    expect(second.engine.size).toBe(0);
  });
});
