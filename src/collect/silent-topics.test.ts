import { describe, expect, it } from 'vitest';
import { instrument, tinyCall } from '../../test/collect/tiny-venue.ts';
import { asMs, asPrice } from '../domain/units.ts';
import type { PlanContext, Stream } from '../venues/adapter.ts';
import { SilentTopics } from './silent-topics.ts';

function watch(topics: Stream['topics']): SilentTopics {
  return new SilentTopics({
    name: 'marks',
    base: 'ws',
    path: '/',
    call: tinyCall('v', 'marks'),
    topics,
    subscribe: () => [],
    topicsPerConnection: 100,
    topicsPerFrame: 100,
    framesPerSecond: 10,
    maxConnections: 1,
    compression: 'none',
    silenceMs: 30_000,
  });
}

const plan = (...symbols: string[]): PlanContext => ({
  instruments: symbols.map((symbol) => instrument('v', symbol)),
  now: asMs(0),
});
const quotes = (...symbols: string[]) => symbols.map((symbol) => ({ symbol, markPrice: asPrice(1) }));
const each: Stream['topics'] = ({ instruments }) => instruments.map(({ symbol }) => `mark.${symbol}`);

describe('SilentTopics', () => {
  it('are those of contracts of which nothing came since the last look', () => {
    const silent = watch(each);
    silent.heard(quotes('A', 'B'));
    expect(silent.look(plan('A', 'B', 'C'))).toEqual({ topics: ['mark.C'], symbols: ['C'] });
    silent.heard(quotes('C'));
    expect(silent.look(plan('A', 'B', 'C'))).toEqual({ topics: ['mark.A', 'mark.B'], symbols: ['A', 'B'] });
  });

  it('are none where nothing came at all', () => {
    expect(watch(each).look(plan('A', 'B'))).toEqual({ topics: [], symbols: [] });
  });

  it('are none where the topic of a silent contract brings others', () => {
    const silent = watch(() => ['marks.all']);
    silent.heard(quotes('A'));
    expect(silent.look(plan('A', 'B'))).toEqual({ topics: [], symbols: [] });
  });

  it('are fifty at most, the most traded first', () => {
    const silent = watch(each);
    const symbols = Array.from({ length: 80 }, (_, i) => `S${i}`);
    silent.heard(quotes('A'));
    const asked = symbols.slice(0, 50);
    expect(silent.look(plan('A', ...symbols))).toEqual({
      topics: asked.map((symbol) => `mark.${symbol}`),
      symbols: asked,
    });
  });
});
