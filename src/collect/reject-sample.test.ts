import { describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { RejectSampler } from './reject-sample.ts';

const T0 = asMs(1_790_000_000_000);
const fault = { symbol: 'BTCUSDT', reason: 'malformed', detail: 'rate' } as const;

describe('a sample of what was rejected', () => {
  it('is the row of the symbol, wherever the payload has it', () => {
    const sampler = new RejectSampler();
    const payload = {
      data: {
        list: [
          { s: 'ETHUSDT', r: '1' },
          { s: 'BTCUSDT', r: '<b>' },
        ],
      },
    };
    sampler.look([{ symbol: 'X', reason: 'dated' }, fault], 'premium', payload, T0);
    expect(sampler.sample).toEqual({
      at: T0,
      source: 'premium',
      reject: fault,
      payload: '{"s":"BTCUSDT","r":"<b>"}',
    });
  });

  it('is the beginning of the payload where no row is named, cut short', () => {
    const sampler = new RejectSampler();
    const payload = Array.from({ length: 10_000 }, (_, i) => `value ${i}`);
    sampler.look([{ symbol: null, reason: 'unexpected_shape' }], 'premium', payload, T0);
    expect(sampler.sample?.payload).toMatch(/^\["value 0",.*…$/);
    expect(sampler.sample?.payload).toHaveLength(601);
  });

  it('contracts out of scope: left out; changes come once a minute at most', () => {
    const sampler = new RejectSampler();
    sampler.look([{ symbol: 'X', reason: 'dated' }], 'premium', [], T0);
    expect(sampler.sample).toBeUndefined();
    sampler.look([fault], 'first', [], T0);
    sampler.look([fault], 'second', [], asMs(T0 + 59_999));
    expect(sampler.sample?.source).toBe('first');
    sampler.look([fault], 'third', [], asMs(T0 + 60_000));
    expect(sampler.sample?.source).toBe('third');
  });
});
