import { upperAscii } from '../domain/ascii-case.ts';
import type { Registry } from './registry/lookup.ts';

/** Cyrillic and Greek capitals that are drawn as Latin ones, each above its Latin letter (Unicode TR 39, confusables). */
const DRAWN_ALIKE = 'АВЕЅІЈКМНОРСТУХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const AS_LATIN = 'ABESIJKMHOPCTYXABEZHIKMNOPTYX';
const LATIN = new Map(Array.from(DRAWN_ALIKE, (letter, at) => [letter, AS_LATIN.charAt(at)]));

/**
 * True if an uncurated name is drawn like a curated one: but for case, accents, width, separators, or letters
 * of another script (`B/TC`, `bTC`, a Cyrillic `ВТС`).
 */
export function looksCurated(registry: Registry, name: string): boolean {
  const drawn = drawnAs(name);
  return drawn !== name && registry.named(name).length === 0 && registry.named(drawn).length > 0;
}

/** A name by its Latin letters and digits as they are drawn. */
function drawnAs(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\p{L}\p{Nd}]+/gu, '');
  return upperAscii(
    Array.from(plain.toLocaleUpperCase('en'), (letter) => LATIN.get(letter) ?? letter).join(''),
  );
}
