/** Control, format and direction characters, unassigned ones, separators of lines, and lone surrogates. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A foreign text for terminals, logs and answers: at most so many characters, each that cannot be seen as its code point
 * (`\u{202e}`). The result is well-formed Unicode.
 */
export function printable(text: string, maxCharacters = 200): string {
  const characters = Array.from(text.slice(0, 2 * maxCharacters + 2));
  const isWhole = text.length <= 2 * maxCharacters + 2 && characters.length <= maxCharacters;
  const shown = characters
    .slice(0, maxCharacters)
    .join('')
    .replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return isWhole ? shown : `${shown}…`;
}
