import { describe, expect, it } from 'vitest';
import { pathMatcher } from './match.ts';

const match = pathMatcher(
  ['/v1/a', '/v1/book/{venue}/{symbol}/top', '/v1/book/depth/{venue}/{symbol}', '/v1/book/best'].map(
    (path) => ({ path }),
  ),
);

const found = (path: string) => {
  const hit = match(path);
  return hit === undefined ? undefined : [hit.route.path, Object.fromEntries(hit.path)];
};

describe('pathMatcher', () => {
  it('finds literals and templates, the literal segment first where both fit', () => {
    expect(found('/v1/a')).toEqual(['/v1/a', {}]);
    expect(found('/v1/book/okx/BTC/top')).toEqual([
      '/v1/book/{venue}/{symbol}/top',
      { venue: 'okx', symbol: 'BTC' },
    ]);
    expect(found('/v1/book/depth/okx/top')).toEqual([
      '/v1/book/depth/{venue}/{symbol}',
      { venue: 'okx', symbol: 'top' },
    ]);
  });

  it('decodes values, and none that would be more than one segment', () => {
    expect(found('/v1/book/depth/okx/crypto%3ABTC')?.[1]).toEqual({ venue: 'okx', symbol: 'crypto:BTC' });
    expect(found('/v1/book/depth/okx/%E5%B8%81')?.[1]).toEqual({ venue: 'okx', symbol: '币' });
    for (const bad of [
      '',
      '.',
      '..',
      '%2e%2e',
      '%2E',
      'a%2fb',
      'a%5cb',
      '%00',
      '%zz',
      '%ff',
      'a%3fb',
      '%0a',
    ]) {
      expect(found(`/v1/book/depth/okx/${bad}`), bad).toBeUndefined();
    }
  });

  it('refuses two routes of one path', () => {
    expect(() => pathMatcher([{ path: '/a' }, { path: '/a' }])).toThrow('/a');
  });
});
