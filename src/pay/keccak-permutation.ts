/**
 * keccak-f[1600] (FIPS 202, section 3), unrolled when it is loaded: a round is written out over fifty local
 * variables, since V8 keeps locals in registers and a typed array's words in memory. That is ten times faster than
 * the loops, and a payment is hashed several times before it is believed. Lanes are pairs of 32-bit words, low first:
 * BigInt lanes are slower than either.
 */
export function permutation(): (state: Int32Array) => void {
  const words = range(50);
  const source = [
    `let ${words.map((i) => `a${i}=s[${i}]`).join()},${range(10)
      .map((i) => `c${i}`)
      .join()},t,u;`,
    `let ${words.map((i) => `b${i}`).join()};`,
    'for(let r=0;r<48;r+=2){',
    ...theta(),
    ...rhoAndPi(),
    ...chi(),
    'a0^=k[r];a1^=k[r+1];}',
    ...words.map((i) => `s[${i}]=a${i};`),
  ].join('');
  // The text is made of the loops below only, of nothing from outside.
  const make = new Function('k', `return (s) => {${source}}`) as (k: Int32Array) => (s: Int32Array) => void;
  return make(roundConstants());
}

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** Column parities, and each word with the parities of its two neighbours. */
function theta(): readonly string[] {
  const parities = range(10).map(
    (x) =>
      `c${x}=${range(5)
        .map((y) => `a${x + 10 * y}`)
        .join('^')};`,
  );
  const mixed = range(5).map((x) => {
    const [left, right] = [2 * ((x + 4) % 5), 2 * ((x + 1) % 5)];
    const turned = `t=c${left}^(c${right}<<1|c${right + 1}>>>31);u=c${left + 1}^(c${right + 1}<<1|c${right}>>>31);`;
    return (
      turned +
      range(5)
        .map((y) => `a${10 * y + 2 * x}^=t;a${10 * y + 2 * x + 1}^=u;`)
        .join('')
    );
  });
  return [...parities, ...mixed];
}

/** Every lane turned by its own offset and moved from (x, y) to (y, 2x + 3y). */
function rhoAndPi(): readonly string[] {
  const turns = rotations();
  return range(25).map((lane) => {
    const [x, y] = [lane % 5, Math.floor(lane / 5)];
    const to = 2 * (y + 5 * ((2 * x + 3 * y) % 5));
    const turn = turns[lane] ?? 0;
    const [low, high] = turn < 32 ? [2 * lane, 2 * lane + 1] : [2 * lane + 1, 2 * lane];
    const n = turn % 32;
    if (n === 0) return `b${to}=a${low};b${to + 1}=a${high};`;
    return `b${to}=a${low}<<${n}|a${high}>>>${32 - n};b${to + 1}=a${high}<<${n}|a${low}>>>${32 - n};`;
  });
}

function chi(): readonly string[] {
  return range(50).map((i) => {
    const [row, x] = [i - (i % 10), i % 10];
    return `a${i}=b${i}^~b${row + ((x + 2) % 10)}&b${row + ((x + 4) % 10)};`;
  });
}

/** Offsets of rho by lane (section 3.2.2): the triangular numbers along the walk of pi. */
function rotations(): readonly number[] {
  const turns = new Array<number>(25).fill(0);
  let [x, y] = [1, 0];
  for (let t = 0; t < 24; t++) {
    turns[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return turns;
}

/** Constants of iota from the LFSR x^8 + x^6 + x^5 + x^4 + 1 (section 3.2.5): low word, high word. */
function roundConstants(): Int32Array {
  const words = new Int32Array(48);
  let lfsr = 1;
  for (let round = 0; round < 24; round++) {
    for (let j = 0; j <= 6; j++) {
      if ((lfsr & 1) === 1) {
        const bit = 2 ** j - 1;
        const word = 2 * round + (bit >>> 5);
        words[word] = (words[word] ?? 0) ^ (1 << (bit & 31));
      }
      lfsr = (lfsr << 1) ^ ((lfsr & 0x80) === 0 ? 0 : 0x171);
    }
  }
  return words;
}
