import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { operatorGuard } from '../../src/cli/operator/guard.ts';

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

describe('with a token', () => {
  it.each([
    ['the token', 'Bearer secret', 200],
    ['another', 'Bearer secreT', 401],
    ['part of it', 'Bearer secre', 401],
    ['another scheme', 'Basic secret', 401],
    ['nothing', '', 401],
  ])('%s', (_what, authorization, status) => {
    expect(ask({ host: '127.0.0.1', authorization }, 'secret')).toBe(status);
  });
});
