/** Characters of one venue's names beyond the usual ones. */
export interface SymbolAlphabet {
  /** Characters besides letters, digits and `-_/:.@*?`. */
  readonly also?: string;
  /** The longest name, in characters; default 64. */
  readonly maxCharacters?: number;
}

/** The longest name of a contract at most venues has some thirty characters. */
const MAX_CHARACTERS = 64;
const USUAL: SymbolAlphabet = {};

/** Letters and digits of any script, and what venues put between them. */
const READABLE = /^[\p{L}\p{M}\p{Nd}\-_/:.@*?]+$/u;
/** Letters and marks that are drawn as nothing: two names that differ by them look the same. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

/**
 * True if a venue's name of a contract, asset or index is acceptable: letters of any script, digits,
 * `-_/:.@*?` and further characters declared for the venue, without a blank at its ends. Control and
 * direction characters, what is drawn as nothing and lone surrogates are no part of a name: they hide in
 * terminals, logs and pages, and are no Unicode text to strict readers.
 */
export function isReadableSymbol(text: string, alphabet = USUAL): boolean {
  const { also = '', maxCharacters = MAX_CHARACTERS } = alphabet;
  // A character takes at most two units.
  if (text.length === 0 || text.length > 2 * maxCharacters || text.trim() !== text) return false;
  const characters = Array.from(text);
  if (characters.length > maxCharacters) return false;
  if (UNSEEN.test(text)) return false;
  const others = characters.filter((character) => !also.includes(character));
  return others.length === 0 || READABLE.test(others.join(''));
}
