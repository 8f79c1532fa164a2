import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LevelList } from './book-frame.ts';
import { FrameScanner, literal } from './frame-scanner.ts';

function scanner(text: string): FrameScanner {
  const scan = new FrameScanner();
  const bytes = literal(text);
  scan.begin(bytes, bytes.length);
  return scan;
}

/** The number at the start of a text, if it is the whole text. */
function number(text: string): number {
  const scan = scanner(text);
  const value = scan.number();
  return scan.ended() ? value : Number.NaN;
}

function levels(text: string): (readonly [number, number])[] | undefined {
  const scan = scanner(text);
  const list = new LevelList();
  if (!scan.quotedLevels(list) || !scan.ended()) return undefined;
  return Array.from({ length: list.count }, (_, i) => [list.pairs[2 * i] ?? 0, list.pairs[2 * i + 1] ?? 0]);
}

describe('remembered names', () => {
  it('stay as they were, whatever the buffer of their frame holds afterwards', () => {
    const scan = new FrameScanner();
    const nameIn = (frame: Buffer): string => {
      scan.begin(frame, frame.length);
      return scan.name();
    };
    // The two have the same hash.
    const frame = Buffer.from('Aa"');
    expect(nameIn(frame)).toBe('Aa');
    frame.write('BB"');
    expect(nameIn(frame)).toBe('BB');
    expect(nameIn(Buffer.from('Aa"'))).toBe('Aa');
  });
});

describe('numbers', () => {
  it('are exactly those of the JSON parser, in any number of digits', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 22 });
    const decimal = fc
      .tuple(digits, fc.option(digits, { nil: undefined }))
      .map(([whole, part]) => `${whole.replace(/^0+(?=\d)/, '')}${part === undefined ? '' : `.${part}`}`)
      .filter((text) => text.length <= 38);
    fc.assert(
      fc.property(decimal, (text) => {
        expect(number(text)).toBe(JSON.parse(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['', '.5', '5.', '-1', '+1', '01', '00.5', '1e3', 'x', '1'.repeat(50), '0x1f'])(
    'are left to the parser when written as %j',
    (text) => {
      expect(number(text)).toBeNaN();
    },
  );

  it('end where the frame ends, whatever stands behind it in the buffer', () => {
    const scan = new FrameScanner();
    scan.begin(literal('12345'), 3);
    expect(scan.number()).toBe(123);
    expect(scan.ended()).toBe(true);
  });
});

describe('names', () => {
  it('are read as written, also beyond ASCII, and interned', () => {
    for (const name of ['BTCUSDT', '币安人生USDT', 'xyz:NVDA', 'BTCUSDT']) {
      const scan = scanner(`${name}"`);
      expect(scan.name()).toBe(name);
      expect(scan.skip(literal('"'))).toBe(true);
    }
    const scan = new FrameScanner();
    const seen = new Set<string>();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 1000; i++) {
        const bytes = literal(`SYMBOL${i}"`);
        scan.begin(bytes, bytes.length);
        seen.add(scan.name());
      }
    }
    expect(seen.size).toBe(1000);
    expect(seen.has('SYMBOL999')).toBe(true);
  });

  it.each(['"', 'no end', 'with\\"escape"', 'with\ttab"', `${'long'.repeat(20)}"`])(
    'are left to the parser in %j',
    (text) => {
      expect(scanner(text).name()).toBe('');
    },
  );
});

describe('levels', () => {
  it('are read and further strings skipped', () => {
    expect(levels('[]')).toEqual([]);
    expect(levels('[["1.5","2"]]')).toEqual([[1.5, 2]]);
    expect(levels('[["1.5","2","0","13"],["1.6","0","0","0"]]')).toEqual([
      [1.5, 2],
      [1.6, 0],
    ]);
  });

  it.each([
    '[',
    '[["1","2"]',
    '[["1","2"],]',
    '[["1"]]',
    '[["0","1"]]',
    '[["1","-1"]]',
    '[[1,2]]',
    '[["1" ,"2"]]',
    '[["1","2","x"]]',
    '[["1e15","2"]]',
    '[["1000000000000000","1"]]',
  ])('are left to the parser in %j', (text) => {
    expect(levels(text)).toBeUndefined();
  });

  it('may be objects', () => {
    const price = literal('{"price":');
    const size = literal(',"qty":');
    const read = (text: string) => {
      const scan = scanner(text);
      const list = new LevelList();
      return scan.keyedLevels(list, price, size) && scan.ended()
        ? [...list.pairs.slice(0, 2 * list.count)]
        : 'no';
    };
    expect(read('[]')).toEqual([]);
    expect(read('[{"price":1.5,"qty":2.0},{"price":1.6,"qty":0.0}]')).toEqual([1.5, 2, 1.6, 0]);
    for (const text of [
      '[{"price":1.5,"qty":2.0}',
      '[{"qty":1.5,"price":2.0}]',
      '[{"price":1.5,"qty":-2}]',
      '[{"price":1,"qty":1},]',
    ]) {
      expect(read(text)).toBe('no');
    }
  });
});
