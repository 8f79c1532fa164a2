import { describe, expect, it, vi } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { until } from '../../test/until.ts';
import { Circuit, type CircuitOptions } from './circuit.ts';
import { type FailureKind, failed, type Outcome } from './transport-failure.ts';

const signal = new AbortController().signal;

function makeCircuit(options: Partial<CircuitOptions> = {}) {
  const time = new ManualTime();
  const circuit = new Circuit({
    timer: time.timer,
    random: () => 0.5,
    retries: 0,
    openAfter: 3,
    restMs: 1,
    ...options,
  });
  return { time, circuit };
}

/** An attempt that fails so often, then succeeds. */
function attempts(failures: readonly Outcome<string>[]) {
  let n = 0;
  return vi.fn(async (): Promise<Outcome<string>> => failures[n++] ?? { ok: true, value: 'payload' });
}

describe('Circuit retry policy', () => {
  it('connection faults and gateway errors: retried with jittered backoff', async () => {
    const { time, circuit } = makeCircuit({ retries: 2, retryDelayMs: 100 });
    const attempt = attempts([failed('reset', 'broke'), failed('status', 'HTTP 502', 502)]);
    const run = circuit.run(attempt, signal);
    await until(() => expect(time.pending).toBe(1));
    expect(time.nextAt).toBe(time.now + 50);
    await time.advance(50);
    await until(() => expect(time.pending).toBe(1));
    expect(time.nextAt).toBe(time.now + 100);
    await time.advance(100);
    expect(await run).toEqual({ ok: true, value: 'payload' });
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it.each([
    ['timeout', undefined],
    ['not_json', undefined],
    ['rate_limited', 429],
    ['too_large', undefined],
    ['status', 400],
    ['status', 500],
    ['aborted', undefined],
  ] as const)('does not retry %s %s', async (kind: FailureKind, status) => {
    const { circuit } = makeCircuit({ retries: 2 });
    const attempt = attempts([failed(kind, 'x', status)]);
    expect(await circuit.run(attempt, signal)).toMatchObject({ failure: { kind } });
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('retries no more often than configured, and stops waiting when aborted', async () => {
    const { time, circuit } = makeCircuit({ retries: 2, retryDelayMs: 1000 });
    const abort = new AbortController();
    const attempt = attempts([failed('reset', 'broke'), failed('reset', 'broke')]);
    const run = circuit.run(attempt, abort.signal);
    await until(() => expect(time.pending).toBe(1));
    abort.abort();
    expect(await run).toMatchObject({ failure: { kind: 'aborted' } });
    expect(attempt).toHaveBeenCalledTimes(1);
    expect(time.pending).toBe(0);
  });
});

describe('Circuit', () => {
  const dead = (): Promise<Outcome<string>> => Promise.resolve(failed('timeout', 'late'));

  it('opens after failures in a row, then answers without sending', async () => {
    const { circuit } = makeCircuit({ restMs: 60_000 });
    for (let i = 0; i < 3; i++) await circuit.run(dead, signal);
    expect(circuit.state).toBe('open');
    const attempt = attempts([]);
    expect(await circuit.run(attempt, signal)).toMatchObject({ failure: { kind: 'circuit_open' } });
    expect(attempt).not.toHaveBeenCalled();
  });

  it('is not opened by what concerns one call only', async () => {
    const { circuit } = makeCircuit();
    for (const outcome of [
      failed('status', 'HTTP 400', 400),
      failed('not_json', 'HTML'),
      failed('too_large', 'x'),
    ]) {
      for (let i = 0; i < 5; i++) await circuit.run(async () => outcome, signal);
    }
    expect(circuit.state).toBe('closed');
  });

  it('is not opened by failures that are not in a row', async () => {
    const { circuit } = makeCircuit();
    for (let i = 0; i < 5; i++) {
      await circuit.run(dead, signal);
      await circuit.run(dead, signal);
      await circuit.run(attempts([]), signal);
    }
    expect(circuit.state).toBe('closed');
  });

  it('probes with one call and closes again when it succeeds', async () => {
    const { circuit } = makeCircuit({ restMs: 1, longestRestMs: 1 });
    for (let i = 0; i < 3; i++) await circuit.run(dead, signal);
    let answer: (outcome: Outcome<string>) => void = () => {};
    const probe = vi.fn(() => new Promise<Outcome<string>>((resolve) => (answer = resolve)));
    const second = attempts([]);
    const waiting: Promise<unknown>[] = [];
    await until(() => {
      waiting.push(circuit.run(probe, signal));
      expect(circuit.state).toBe('half_open');
    });
    waiting.push(circuit.run(second, signal));
    await Promise.resolve();
    expect(second).not.toHaveBeenCalled();
    answer({ ok: true, value: 'back' });
    await Promise.all(waiting);
    expect(circuit.state).toBe('closed');
    expect(second).toHaveBeenCalledTimes(1);
  });
});
