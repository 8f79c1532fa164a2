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
      '%2fb',
      'a%2f',
      'a%2f%2fb',
      'a%2fb%2fc',
      '..%2fb',
      'a%2f.',
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

  it('takes a symbol with a slash, and no venue with one', () => {
    expect(found('/v1/book/hibachi/BTC%2FUSDT-P/top')?.[1]).toEqual({
      venue: 'hibachi',
      symbol: 'BTC/USDT-P',
    });
    expect(found('/v1/book/depth/okx/BTC%2FUSDT%3AUSDT')?.[1]).toMatchObject({ symbol: 'BTC/USDT:USDT' });
    expect(found('/v1/book/a%2Fb/BTC/top')).toBeUndefined();
    expect(found('/v1/book/hibachi/BTC/USDT-P/top')).toBeUndefined();
  });

  it('refuses two routes of one path', () => {
    expect(() => pathMatcher([{ path: '/a' }, { path: '/a' }])).toThrow('/a');
  });
});
