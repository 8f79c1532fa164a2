import { ASSET_CLASSES } from '../../domain/instrument.ts';
import { isWire } from '../../domain/read.ts';
import type { MemberForm } from './entry-schema.ts';

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isName = (value: unknown): boolean => typeof value === 'string' && /^[A-Z0-9]+$/.test(value);

function textLike(form: RegExp, text: string): MemberForm {
  return { is: (value) => typeof value === 'string' && form.test(value), text };
}

export function oneOf(words: readonly string[]): MemberForm {
  return { is: (value) => isText(value) && words.includes(value), text: `one of ${words.join(', ')}` };
}

export const optional = (form: MemberForm): MemberForm => ({ ...form, optional: true });

/** A title or a sentence. */
export const TEXT: MemberForm = { is: isText, text: 'a text' };
/** A ticker, an alias or a slug. */
export const NAME: MemberForm = { is: isName, text: 'a name of capitals and digits' };
export const NAMES: MemberForm = {
  is: (value) => Array.isArray(value) && value.length > 0 && value.every(isName),
  text: 'a list of names of capitals and digits',
};
export const CLASS: MemberForm = oneOf(ASSET_CLASSES);
export const CANONICAL_ID: MemberForm = textLike(/^[a-z]+:[A-Z0-9]+$/, 'an id such as crypto:BTC');
/** A venue, or all whose names begin alike: `hyperliquid-*`. */
export const VENUE: MemberForm = textLike(/^[a-z0-9-]+\*?$/, 'a venue such as gate or hyperliquid-*');
export const CURRENCY: MemberForm = textLike(/^[A-Z]{3}$/, 'a code of three capitals');
export const DAY: MemberForm = textLike(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-01-31');
export const ADDRESS: MemberForm = textLike(/^https:\/\/\S+$/, 'an address that begins with https://');
export const FLAG: MemberForm = { is: (value) => typeof value === 'boolean', text: 'true or false' };
export const FACTOR: MemberForm = {
  is: (value) => typeof value === 'number' && value > 0,
  text: 'a number above zero',
};
/** Two prices, the lower one first. */
export const RANGE: MemberForm = {
  is: (value) => Array.isArray(value) && value.length === 2 && 0 < value[0] && value[0] < value[1],
  text: 'two prices, the lower one first',
};
/** A pattern of a whole name that has what it is for in its groups. */
export const PATTERN: MemberForm = {
  is: (value) => isText(value) && /^\^.*\([^?].*\$$/.test(value) && isPattern(value),
  text: 'a pattern from ^ to $ with a group',
};
export const LIST: MemberForm = { is: Array.isArray, text: 'a list' };
export const TEXTS_BY_KEY: MemberForm = {
  is: (value) => isWire(value) && Object.values(value).every(isText),
  text: 'an object of texts',
};

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
