import { describe, expect, it } from 'vitest';
import { type Decoded, emptyDecoded } from '../../src/domain/decoded.ts';
import { readPrice } from '../../src/domain/read.ts';
import { asPrice } from '../../src/domain/units.ts';
import { mutate } from './mutate.ts';

const payload = [{ symbol: 'BTCUSDT', markPrice: '100.5' }];

function one(markPrice: number): Decoded {
  const decoded = emptyDecoded();
  decoded.quotes.push({ symbol: 'BTCUSDT', markPrice: asPrice(markPrice) });
  return decoded;
}

function priceOf(payload: unknown): unknown {
  return (payload as readonly { readonly markPrice?: unknown }[])[0]?.markPrice;
}

describe('mutate', () => {
  it('detects a decoder that throws', () => {
    const decode = (payload: unknown) => one(Number((priceOf(payload) as string).slice(0)));
    expect(mutate({ name: 'throws', payload, decode }).problems.join()).toContain('threw TypeError');
  });

  it('detects a decoder that yields NaN', () => {
    const decode = (payload: unknown) => one(Number(String(priceOf(payload) ?? 'x')));
    expect(mutate({ name: 'NaN', payload, decode }).problems.join()).toContain('is NaN');
  });

  it('detects a decoder that turns unknown into zero', () => {
    const decode = (payload: unknown) => one(Number(String(priceOf(payload) ?? '')) || 0);
    const { problems } = mutate({ name: 'zero', payload, decode });
    expect(problems.join()).toContain('0 for unknown in quotes.markPrice');
  });

  const markIn = (payload: unknown) =>
    Array.isArray(payload)
      ? readPrice((payload[0] as { markPrice?: unknown } | undefined)?.markPrice)
      : undefined;

  it('detects a decoder that loses an unreadable value without a reject', () => {
    const decode = (payload: unknown) => {
      const mark = markIn(payload);
      return mark === undefined ? emptyDecoded() : one(mark);
    };
    expect(mutate({ name: 'silent', payload, decode }).problems).toContain(
      'silent: Infinity text at [0].markPrice: quotes.symbol, quotes.markPrice lost without a reject',
    );
  });

  it('a decoder that leaves unknowns out with a reject: passes', () => {
    const decode = (payload: unknown) => {
      const mark = markIn(payload);
      if (mark !== undefined) return one(mark);
      const reject = { symbol: 'BTCUSDT', reason: 'malformed', detail: 'markPrice' } as const;
      return { ...emptyDecoded(), rejects: [reject] };
    };
    const { tried, problems } = mutate({ name: 'sound', payload, decode });
    expect(problems).toEqual([]);
    expect(tried).toBeGreaterThan(30);
  });

  it('reverts every mutation', () => {
    const seen: unknown[] = [];
    const decode = (payload: unknown) => {
      seen.push(structuredClone(payload));
      return emptyDecoded();
    };
    mutate({ name: 'kept', payload, decode });
    expect(seen[0]).toEqual(payload);
    expect(payload).toEqual([{ symbol: 'BTCUSDT', markPrice: '100.5' }]);
    // One field at a time: in every mutation of the price the symbol is as it was.
    const symbols = seen.filter((p) => Array.isArray(p) && p.length === 1 && p[0]?.markPrice !== '100.5');
    expect(new Set(symbols.map((p) => (p as readonly { symbol?: unknown }[])[0]?.symbol))).toContain(
      'BTCUSDT',
    );
  });
});
