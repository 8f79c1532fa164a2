import { describe, expect, it } from 'vitest';
import { shownResource } from './shown-resource.ts';

describe('the request of a payment, as the operator reads it', () => {
  it.each([
    ['/v1/funding?ticker=BTC%2FUSD', '/v1/funding?ticker=BTC%2FUSD'],
    [
      '/v1/watch/day?kind=flip&webhook=https%3A%2F%2Fa.example%2Fs3cret',
      '/v1/watch/day?kind=flip&webhook=a.example',
    ],
    ['/v1/watch/day?web%68ook=https://a.example/s3cret?t=1', '/v1/watch/day?webhook=a.example'],
    ['/v1/watch/day?webhook=s3cret', '/v1/watch/day?webhook='],
  ])('%s: %s', (resource, shown) => {
    expect(shownResource(resource)).toBe(shown);
  });
});
