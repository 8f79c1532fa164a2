/**
 * Case folding of ASCII letters only. Unicode folds letters that merely look alike into them (the long s into S, the
 * dotless i into I, the Kelvin sign into k), and a name that looks like another is not that other.
 */
export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
