/** A number as venues write it: plain decimal text, `digits` significant ones, never an exponent. */
export function decimal(x: number, digits = 9): string {
  // Thousands of levels a second are numbers on a grid, whose shortest text is the rounded one.
  const shortest = String(x);
  return shortest.length <= digits + 1 && !shortest.includes('e') ? shortest : rounded(x, digits);
}

/** The same by rounding, whatever the number's own text is. */
export function rounded(x: number, digits: number): string {
  if (x === 0) return '0';
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(x))));
  const text = x.toFixed(Math.min(places, 30));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
