import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { tinyVenue } from '../../test/collect/tiny-venue.ts';
import { startSmall } from '../../test/host/start-small.ts';
import { until } from '../../test/until.ts';
import type { Transport } from '../collect/http-client.ts';
import { hasChanged, SLOT } from '../market/contract.ts';
import type { MarketView } from '../market/view.ts';
import type { TapeListener } from '../tape/listener.ts';
import { MetricSet } from './metrics/metric-set.ts';
import { tapeMetrics } from './metrics/tape-metrics.ts';
import type { Module } from './module.ts';
import type { RowJudge } from './row-judge.ts';

const VENUE = 'made-up';
const dataDir = mkdtempSync(join(tmpdir(), 'perpmeter-listening-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** A venue with one contract, whose mark grows with each answer. */
function growing(): Transport {
  let mark = 100;
  return {
    send: async () => {
      mark += 1;
      const value = [{ symbol: 'ABC', list: true, mark }];
      return { result: { ok: true, value }, headers: {}, bytes: 10, durationMs: 0 };
    },
    close: async () => {},
  };
}

const started = (modules: readonly Module[]) =>
  startSmall({
    dataDir,
    modules,
    venues: [tinyVenue(VENUE, 'http://made-up.invalid', { refreshMs: 50 })],
    transports: new Map([[VENUE, growing()]]),
  });

const module = (id: string, listens: TapeListener, stop = async () => {}): Module => ({
  id,
  open: async () => ({ listens, stop }),
});

it('modules that listen: each hears all from the first word to its stop', async () => {
  const heard: string[] = [];
  const noting = (id: string): TapeListener => ({
    venue: (info) => void heard.push(`${id} venue ${info.id}`),
    instruments: (_, list) => void heard.push(`${id} list ${list.map(({ symbol }) => symbol)}`),
    changed: ({ instrument, values }, change) => {
      if (hasChanged(change, 'markPrice'))
        heard.push(
          `${id} ${instrument.symbol} ${change.before[SLOT.markPrice]} -> ${values[SLOT.markPrice]}`,
        );
    },
  });
  const faulty: TapeListener = {
    venue: () => {
      throw new Error('not written yet');
    },
    changed: () => {
      throw new Error('not written yet');
    },
  };
  /** Venues are collected while it ends: the module before it still hears them. */
  const stop = async (): Promise<void> => {
    const before = heard.push('b stops');
    await until(() => expect(heard.length).toBeGreaterThan(before + 1));
  };
  const service = await started([
    module('a', noting('a')),
    module('faulty', faulty),
    module('b', noting('b'), stop),
  ]);
  if (!service.ok) throw new Error(service.errors.join('\n'));
  await until(() => expect(heard.filter((line) => line.startsWith('b ABC')).length).toBeGreaterThan(1));
  const metrics = new MetricSet();
  tapeMetrics(metrics, service.value);
  const counts = await metrics.text();
  expect(counts).toMatch(/perpmeter_tape_faults_total\{listener="faulty"\} [1-9]/);
  expect(counts).toContain('perpmeter_tape_faults_total{listener="a"} 0');
  const row = service.value.market.view.rows().find(({ symbol }) => symbol === 'ABC');
  await service.value.stop();
  const afterStop = heard.slice(heard.indexOf('b stops') + 1);
  expect(afterStop.every((line) => line.startsWith('a '))).toBe(true);
  expect(heard.slice(0, 4)).toEqual(['a venue made-up', 'b venue made-up', 'a list ABC', 'b list ABC']);
  const [first, second, third] = heard.slice(4);
  expect(first).toMatch(/^a ABC NaN -> \d+$/);
  expect(second).toBe(first?.replace('a', 'b'));
  const mark = first?.split(' -> ')[1];
  expect(third).toBe(`a ABC ${mark} -> ${Number(mark) + 1}`);
  expect(row?.markPrice).toBeGreaterThan(Number(mark));
});

/** A judge that flags a contract by the first mark that it hears, and notes what the table shows then. */
function flagging(note: (text: string) => void): RowJudge {
  const flagged = new Set<string>();
  return {
    flagOf: (_, symbol) => (flagged.has(symbol) ? 'made_up' : undefined),
    listens: {
      changed: ({ instrument: { symbol } }) => {
        flagged.add(symbol);
        note('judged');
      },
    },
  };
}

it('a module that judges: a row is flagged before another hears of it', async () => {
  const heard: string[] = [];
  const note = (text: string): void => void heard.push(text);
  let view: MarketView | undefined;
  const reader: Module = {
    id: 'reader',
    open: async ({ market }) => {
      view = market.view;
      return { listens: { changed: ({ instrument: { symbol } }) => note(`heard ${symbol}`) } };
    },
  };
  const judge: Module = { id: 'judge', open: async () => ({ judges: flagging(note) }) };
  const service = await started([reader, judge]);
  if (!service.ok) throw new Error(service.errors.join('\n'));
  const flagged = { uncomparableReason: 'suspect', suspectReason: 'made_up' };
  await until(() => expect(view?.rows()[0]).toMatchObject(flagged));
  await service.value.stop();
  expect(heard.slice(0, 2)).toEqual(['judged', 'heard ABC']);
});
