import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { ERRORS } from '../../src/domain/errors.ts';
import { PAYMENT_ERRORS } from '../../src/domain/payment-errors.ts';
import { createChallenges } from '../../src/pay/challenge.ts';
import { refusalOf } from '../../src/pay/reasons.ts';
import { FACILITATOR_REASONS } from '../../src/pay/schemes/exact/facilitator-reasons.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import { paidRoutes, routeOf, sellerAt, shippedPrices } from './routes.ts';

/** The code of all unknown words. */
const UNKNOWN = 'payment_refused';

/** Words in a text that a pattern finds. */
const wordsIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

/** The words with which this service's own code refuses a payment. */
function ownWords(): readonly string[] {
  const files = readdirSync('src/pay', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join('src/pay', name), 'utf8'));
  const refusals = [
    /kind: '(?:invalid|refused|rejected|ruled_out)',\s*reason: '(\w+)'/g,
    /refuse\((?:this\.#parts, context, )?'(\w+)'\)/g,
    /return '(invalid_\w+|authorization_\w+)'/g,
    /reasonCode\([^)]*'(\w+)'\)/g,
  ];
  return files.flatMap((text) => refusals.flatMap((pattern) => wordsIn(text, pattern)));
}

/** The words of the official facilitator for the scheme that is sold by, without those of transfers by Permit2. */
function officialWords(): readonly string[] {
  const entry = createRequire(import.meta.url).resolve('@x402/evm');
  const folder = join(dirname(entry), '../esm');
  const texts = readdirSync(folder)
    .filter((name) => /^chunk-.*\.mjs$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const errors = texts.find((text) => text.includes('// src/exact/facilitator/errors.ts')) ?? '';
  const words = wordsIn(errors, /\bErr\w+ = "(\w+)"/g);
  return words.filter(
    (word) => !/permit2|erc20_approval|eip2612/.test(word) && word !== 'settlement_pending',
  );
}

describe('codes of refused payments', () => {
  it('words of our own code: each has a code of its own', () => {
    const words = ownWords();
    expect(words.length).toBeGreaterThan(25);
    expect(
      words.filter((word) => refusalOf(word, FACILITATOR_REASONS).code === UNKNOWN && word !== UNKNOWN),
    ).toEqual([]);
  });

  it('words of the official facilitator: each has a code of its own', () => {
    const words = officialWords();
    expect(words.length).toBeGreaterThan(15);
    expect(words.filter((word) => refusalOf(word, FACILITATOR_REASONS).code === UNKNOWN)).toEqual([]);
  });

  it('words of facilitators: they stand in the detail of the code', () => {
    for (const [word, code] of Object.entries(FACILITATOR_REASONS)) {
      expect(refusalOf(word, FACILITATOR_REASONS)).toMatchObject({
        code,
        detail: expect.stringContaining(PAYMENT_ERRORS[code].cause),
      });
      expect(word === code || refusalOf(word, FACILITATOR_REASONS).detail.includes(word)).toBe(true);
    }
  });

  it('any reason: the challenge carries a code of the table, whole', () => {
    const prices = shippedPrices();
    const routes = paidRoutes();
    const made = createChallenges({
      schemes: offersOf({ seller: sellerAt() }),
      seller: sellerAt(),
      prices,
      clock: systemClock,
      routes,
    });
    if (!made.ok) throw new Error(made.errors.join('\n'));
    const route = routeOf(routes, 'funding-current');
    const reason = fc.oneof(
      fc.stringMatching(/^[a-z0-9_]{1,64}$/),
      fc.constantFrom(...Object.keys(FACILITATOR_REASONS), ...Object.keys(PAYMENT_ERRORS), 'constructor'),
    );
    fc.assert(
      fc.property(reason, (word) => {
        const body = JSON.parse(made.value.challenge(route, word).body.toString()) as Record<string, string>;
        expect(Object.keys(PAYMENT_ERRORS)).toContain(body.code);
        expect(ERRORS[body.code as keyof typeof ERRORS].status).toBe(402);
        expect(body.error === body.code || body.code === 'payment_required').toBe(true);
      }),
    );
  });
});
