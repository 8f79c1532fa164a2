import { describe, expect, it } from 'vitest';
import { type Timer, withTimeout } from './timer.ts';

/** A timer that fires when told to, and knows whether it was cancelled. */
function manualTimer() {
  let fire: (() => void) | undefined;
  const timer: Timer = (_, run) => {
    fire = run;
    return () => {
      fire = undefined;
    };
  };
  return { timer, fire: () => fire?.(), isSet: () => fire !== undefined };
}

describe('work with a timeout', () => {
  it('that ends in time gives its value and leaves no timer', async () => {
    const { timer, isSet } = manualTimer();
    expect(await withTimeout(Promise.resolve(7), 1000, () => 'late', timer)).toBe(7);
    expect(isSet()).toBe(false);
  });

  it('that fails in time rejects with its error and leaves no timer', async () => {
    const { timer, isSet } = manualTimer();
    await expect(withTimeout(Promise.reject(new Error('broken')), 1000, () => 'late', timer)).rejects.toThrow(
      'broken',
    );
    expect(isSet()).toBe(false);
  });

  it('work that takes too long: replaced, and its failure ignored', async () => {
    const { timer, fire } = manualTimer();
    let fail: (cause: Error) => void = () => {};
    const work = new Promise<number>((_, reject) => {
      fail = reject;
    });
    const outcome = withTimeout(work, 1000, () => 'late', timer);
    fire();
    expect(await outcome).toBe('late');
    fail(new Error('nobody listens'));
  });

  it('that takes too long rejects where what stands for it throws', async () => {
    const { timer, fire } = manualTimer();
    const outcome = withTimeout(
      new Promise(() => {}),
      1000,
      () => {
        throw new Error('too late');
      },
      timer,
    );
    fire();
    await expect(outcome).rejects.toThrow('too late');
  });
});
