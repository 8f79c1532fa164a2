import { describe, expect, it } from 'vitest';
import { type Failure, fail, ok } from '../../domain/errors.ts';
import { awayIn, bundled } from './bundle.ts';
import type { MadePart } from './part.ts';

const MADE: MadePart = { path: '/made', result: ok({ content: { json: {} } }) };
const partOf = (path: string, failure: Failure): MadePart => ({ path, result: fail(failure) });
const AWAY = { code: 'not_ready', detail: 'Away.' } as const;

describe('parts that have no answer', () => {
  it('several are away: the first is named, the longest wait is told', () => {
    const parts = [5, 60, undefined, 7].map((seconds, at) =>
      partOf(`/${at + 1}`, { ...AWAY, ...(seconds !== undefined && { retryAfterSeconds: seconds }) }),
    );
    expect(awayIn([MADE, ...parts])).toMatchObject({
      code: 'not_ready',
      detail: expect.stringMatching(/^\/1 has no answer for now.* Away\.$/),
      retryAfterSeconds: 60,
    });
  });

  it('the main one is away: its own words, the longest wait', async () => {
    const parts = [
      partOf('/main', { ...AWAY, retryAfterSeconds: 2 }),
      partOf('/other', { ...AWAY, retryAfterSeconds: 9 }),
    ];
    expect(await bundled({}, parts)).toEqual(fail({ ...AWAY, retryAfterSeconds: 9 }));
  });

  it('the service failed to make one: a fault that names it', async () => {
    const parts = [MADE, partOf('/failed', { code: 'internal', detail: 'Failed.' })];
    await expect(bundled({}, parts)).rejects.toThrow('/failed: Failed.');
  });

  it('for good: no reason to refuse the bundle', () => {
    expect(awayIn([MADE, partOf('/none', { code: 'no_data', detail: 'None.' })])).toBeUndefined();
  });
});
