import Type, { type TString } from 'typebox';

/** Key of a parameter's schema that says that its text is a list with commas. */
export const LIST_KEY = 'x-comma-separated';

/** Characters of a list: every venue there is fits. */
const LONGEST_LIST = 1500;

/** A parameter that takes one word or several, separated by commas. */
export const listParameter = (description: string, options: { readonly examples?: string[] } = {}): TString =>
  Type.String({ minLength: 1, maxLength: LONGEST_LIST, [LIST_KEY]: true, description, ...options });

/** The words of a list, each once, in their order. Empty ones do not count. */
export function wordsOf(list: string): readonly string[] {
  const words = list.split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}
