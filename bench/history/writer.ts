import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { World } from '@perpmeter/sim/world';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { SAMPLE_COLUMNS, SampleEncoder } from '../../src/history/sample-rows.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { valueIn } from './load.ts';
import type { Series } from './series.ts';
import { keyOfSeries, sampleAt, VALUES } from './values.ts';

/** Six batches a minute of a sixth of the rows each: 9,000 rows a minute, and a write under way more often. */
const BATCHES_A_MINUTE = 6;
/** Making a row costs more than storing it: the event loop is given back this soon, as the service's sampler does. */
const TURN_MS = 2;

/** Makes the rows of a part of the series. */
function lineMaker(world: World, series: readonly Series[]) {
  const encoder = new SampleEncoder();
  const out = new Float64Array(VALUES.length);
  return async (part: number, at: UnixMs): Promise<readonly string[]> => {
    const lines: string[] = [];
    let turnAt = performance.now();
    for (const [i, one] of series.entries()) {
      if (i % BATCHES_A_MINUTE !== part % BATCHES_A_MINUTE) continue;
      if (performance.now() - turnAt > TURN_MS) {
        await nextTurn();
        turnAt = performance.now();
      }
      lines.push(encoder.line(sampleAt(world, one, keyOfSeries(one), at, out), Date.now()));
    }
    return lines;
  };
}

/** Writes a row of every series each minute, in parts, until stopped. */
export function startWriter(store: HistoryStore, world: World, series: readonly Series[], from: UnixMs) {
  let stopped = false;
  let wake = () => {};
  let timer: NodeJS.Timeout | undefined;
  const linesAt = lineMaker(world, series);
  const times: number[] = [];
  let rows = 0;
  const write = async (part: number): Promise<void> => {
    const at = asMs(from + Math.floor(part / BATCHES_A_MINUTE) * MINUTE_MS);
    const lines = await linesAt(part, at);
    const start = performance.now();
    valueIn(await store.insert({ table: 'samples', columns: SAMPLE_COLUMNS, lines }));
    times.push(performance.now() - start);
    rows += lines.length;
  };
  const running = (async () => {
    for (let part = 0; !stopped; part++) {
      await write(part);
      await new Promise<void>((next) => {
        wake = next;
        timer = setTimeout(next, MINUTE_MS / BATCHES_A_MINUTE);
      });
    }
  })();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      wake();
      await running;
      const sorted = [...times].sort((a, b) => a - b);
      return { rows, batches: times.length, p50: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN };
    },
  };
}
