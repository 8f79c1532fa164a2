import { allSpecs } from '../../src/host/settings/all-settings.ts';
import { MODULES } from '../../src/modules/list.ts';

/** Names in a compose file of the kit, each once and in order. */
export interface ComposeNames {
  readonly volumes: Declared;
  readonly secrets: Declared;
}

interface Declared {
  readonly declared: readonly string[];
  readonly used: readonly string[];
}

const names = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];

/** The lines below a key that begins its line. */
const section = (text: string, key: string): string =>
  new RegExp(`^${key}:\\n((?: .*\\n|\\n)+)`, 'm').exec(text)?.[1] ?? '';

/** Secrets of a text: those that a service is given. */
const given = (text: string): readonly string[] =>
  names(text, /^ +secrets: \[(.+)\]$/gm).flatMap((list) => list.split(', '));

/** Reads a compose file in the form that ours have: a named volume begins with a letter, secrets are listed in one line. */
export function readCompose(text: string): ComposeNames {
  const sorted = (list: readonly string[]): readonly string[] => [...new Set(list)].sort();
  return {
    volumes: {
      declared: sorted(names(section(text, 'volumes'), /^ {2}(\w+):/gm)),
      used: sorted(names(text, /(?:"|- )([a-z]\w*):\/\w/g)),
    },
    secrets: {
      declared: sorted(names(section(text, 'secrets'), /^ {2}(\w+):/gm)),
      used: sorted(given(text)),
    },
  };
}

/** Of each part of a compose file that has secrets: those that it is given, and the files of secrets that it names. */
export function secretsByPart(text: string): readonly (readonly [given: string[], read: string[]])[] {
  return text
    .split('\n\n')
    .map((part) => [[...given(part)].sort(), [...names(part, /\/run\/secrets\/(\w+)/g)].sort()] as const)
    .filter(([listed, read]) => listed.length + read.length > 0);
}

/** The settings of a part of a compose file, without what makes one a file. */
export function settingsIn(text: string): readonly string[] {
  return names(text, /^ +([A-Z][A-Z_]+):/gm).map((name) =>
    isSetting(name) ? name : name.replace(/_FILE$/, ''),
  );
}

const known = new Set<string>(Object.values(allSpecs(MODULES)).map(({ env }) => env));

/** True if the service has a setting of this name. */
export const isSetting = (name: string): boolean => known.has(name);
