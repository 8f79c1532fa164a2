import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { metricsGuard, operatorGuard } from '../../src/modules/operator/guard.ts';

const ask = (headers: Readonly<Record<string, string>>, token?: string): number =>
  operatorGuard(token)({ headers } as unknown as IncomingMessage)?.status ?? 200;

describe('without a token', () => {
  it.each([
    ['curl', { host: '127.0.0.1:9402' }, 200],
    [
      'its own page',
      { host: 'localhost:9402', origin: 'http://localhost:9402', 'sec-fetch-site': 'same-origin' },
      200,
    ],
    ['an address that was typed', { host: '[::1]:9402', 'sec-fetch-site': 'none' }, 200],
    ['a page of another site', { host: '127.0.0.1:9402', 'sec-fetch-site': 'cross-site' }, 403],
    ['another port of this machine', { host: '127.0.0.1:9402', 'sec-fetch-site': 'same-site' }, 403],
    ['an old browser on another site', { host: '127.0.0.1:9402', origin: 'https://evil.example' }, 403],
    ['a name bound to loopback', { host: 'evil.example:9402', 'sec-fetch-site': 'same-origin' }, 403],
    ['a name that begins like loopback', { host: '127.0.0.1.evil.example' }, 403],
    ['no name at all', {}, 403],
  ])('%s', (_who, headers, status) => {
    expect(ask(headers)).toBe(status);
  });
});

describe('metrics', () => {
  const read = (headers: Readonly<Record<string, string>>, token?: string): number => {
    const guard = metricsGuard(operatorGuard(token), token !== undefined);
    return guard({ headers } as unknown as IncomingMessage)?.status ?? 200;
  };

  it.each([
    ['Prometheus', { host: '127.0.0.1:9402' }, 200],
    ['a name bound to loopback', { host: 'evil.example:9402', 'sec-fetch-site': 'same-origin' }, 403],
    ['a page of another site', { host: '127.0.0.1:9402', 'sec-fetch-site': 'cross-site' }, 403],
    ['another name with the token', { host: 'ops.example', authorization: 'Bearer secret' }, 200],
    ['another name with another token', { host: 'ops.example', authorization: 'Bearer no' }, 401],
  ])('%s, where there is a token: judged by name and token', (_who, headers, status) => {
    expect(read(headers, 'secret')).toBe(status);
  });

  it('another name, where there is no token: refused', () => {
    expect(read({ host: 'ops.example', authorization: 'Bearer secret' })).toBe(403);
  });
});

describe('wrong tokens', () => {
  it('more than ten in a row: none is compared for a second', () => {
    let now = 0;
    const guard = operatorGuard('secret', () => now);
    const status = (authorization: string): number =>
      guard({ headers: { authorization } } as unknown as IncomingMessage)?.status ?? 200;
    const tries = Array.from({ length: 11 }, () => status('Bearer guess'));
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(status('Bearer secret')).toBe(429);
    now = 1000;
    expect(status('Bearer secret')).toBe(200);
    expect([status('Bearer guess'), status('Bearer guess')]).toEqual([401, 429]);
  });
});

describe('with a token', () => {
  it.each([
    ['the token', 'Bearer secret', 200],
    ['another', 'Bearer secreT', 401],
    ['part of it', 'Bearer secre', 401],
    ['another scheme', 'Basic secret', 401],
    ['an empty one', '', 401],
  ])('%s', (_what, authorization, status) => {
    expect(ask({ host: '127.0.0.1', authorization }, 'secret')).toBe(status);
  });
});
