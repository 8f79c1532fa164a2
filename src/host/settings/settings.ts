import { readFileSync } from 'node:fs';
import { reasonOf } from '../../runtime/reason-of.ts';
import type { SettingSpec } from './setting-spec.ts';
import type { SETTINGS } from './setting-table.ts';

/** Settings by the name under which the code reads them. */
export type SettingSpecs = Readonly<Record<string, SettingSpec>>;

type ValueOf<Spec> = Spec extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Spec extends { readonly type: 'integer' }
    ? number
    : Spec extends { readonly type: 'list' }
      ? readonly string[]
      : string;

/** Settings after parsing; what was not given and has no default is undefined. */
export type SettingsOf<Specs extends SettingSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends { readonly fallback: string }
    ? ValueOf<Specs[Name]>
    : ValueOf<Specs[Name]> | undefined;
};

/** The core's own settings after parsing. */
export type Settings = SettingsOf<typeof SETTINGS>;

/** The place of a setting's value: `name` is the flag, the variable, or the file's path. */
export interface SettingSource {
  readonly kind: 'flag' | 'environment' | 'file';
  readonly name: string;
}

interface GivenText {
  readonly text: string;
  readonly source: SettingSource;
}

export type SettingsResult<Specs extends SettingSpecs> =
  | {
      readonly ok: true;
      readonly settings: SettingsOf<Specs>;
      /** Names of those that a flag, a variable or a file gave. */
      readonly given: ReadonlySet<string>;
      /** The place that gave each of them. */
      readonly sources: ReadonlyMap<string, SettingSource>;
    }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Begins the longer of the two variables of each setting. */
export const PREFIX = 'PERPMETER_';

/** The variables that set it: `PERPMETER_PORT`, and the short `PORT`. */
export function envNames({ env }: SettingSpec): readonly [string, string] {
  return [PREFIX + env, env];
}

/** A setting as messages name it: `--port (PERPMETER_PORT)`. */
export const settingName = ({ flag, env }: SettingSpec): string => `--${flag} (${PREFIX}${env})`;

function readValue(spec: SettingSpec, text: string): { value?: unknown; error?: string } {
  const name = settingName(spec);
  if (spec.choices !== undefined && !spec.choices.includes(text)) {
    return { error: `${name} must be one of ${spec.choices.join(', ')}, not "${text}"` };
  }
  if (spec.type === 'integer') {
    const n = Number(text);
    const low = spec.minimum ?? Number.MIN_SAFE_INTEGER;
    const high = spec.maximum ?? Number.MAX_SAFE_INTEGER;
    if (!/^-?\d+$/.test(text) || n < low || n > high) {
      return { error: `${name} must be a whole number from ${low} to ${high}, not "${text}"` };
    }
    return { value: n };
  }
  if (spec.type === 'list') {
    return {
      value: text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part.length > 0),
    };
  }
  return { value: text };
}

/**
 * Reads settings: a flag wins over `PERPMETER_<NAME>`, that over `<NAME>`, that over the default. A secret is
 * also read from the file that `PERPMETER_<NAME>_FILE` or `<NAME>_FILE` names; of another setting that is an error. All errors
 * are returned at once.
 */
export function readSettings<Specs extends SettingSpecs>(
  specs: Specs,
  flags: Readonly<Record<string, string | undefined>>,
  env: NodeJS.ProcessEnv,
): SettingsResult<Specs> {
  const errors: string[] = [];
  const sources = new Map<string, SettingSource>();
  const settings: Record<string, unknown> = {};
  const known = new Set(Object.values(specs).flatMap(envNames));
  for (const [name, spec] of Object.entries(specs)) {
    errors.push(...unreadFiles(spec, env, known));
    const found = givenText(spec, flags[name], env, errors);
    if (found !== undefined) sources.set(name, found.source);
    const chosen = found?.text ?? spec.fallback;
    if (chosen === undefined) continue;
    const { value, error } = readValue(spec, chosen);
    if (error !== undefined) errors.push(error);
    else settings[name] = value;
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, settings: settings as SettingsOf<Specs>, given: new Set(sources.keys()), sources };
}

/** The value of a flag, a variable or, for a secret, a file. */
function givenText(
  spec: SettingSpec,
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
  errors: string[],
): GivenText | undefined {
  if (flag !== undefined) return { text: flag, source: { kind: 'flag', name: `--${spec.flag}` } };
  const names = envNames(spec);
  for (const name of names) {
    const text = nonEmpty(env[name]);
    if (text !== undefined) return { text, source: { kind: 'environment', name } };
  }
  const file = spec.secret === true ? fileNamed(env, names) : undefined;
  const secret = file === undefined ? undefined : readSecret(file, names[0], errors);
  if (file === undefined || secret === undefined) return undefined;
  return { text: secret, source: { kind: 'file', name: file } };
}

/** Faults of files that are named for a setting which is read from none: it would keep its fallback without a word. */
function unreadFiles(
  spec: SettingSpec,
  env: NodeJS.ProcessEnv,
  known: ReadonlySet<string>,
): readonly string[] {
  if (spec.secret === true) return [];
  return envNames(spec)
    .map((name) => `${name}_FILE`)
    .filter((name) => !known.has(name) && nonEmpty(env[name]) !== undefined)
    .map((name) => `${name}: ${settingName(spec)} is no secret, and no file is read for it`);
}

/** The file that holds a secret: `<NAME>_FILE`. */
function fileNamed(env: NodeJS.ProcessEnv, names: readonly string[]): string | undefined {
  return names.map((name) => nonEmpty(env[`${name}_FILE`])).find((path) => path !== undefined);
}

/** A file without a secret is a fault: the service would start on a fallback that nobody chose. */
function readSecret(file: string, name: string, errors: string[]): string | undefined {
  try {
    const secret = nonEmpty(readFileSync(file, 'utf8').trim());
    if (secret === undefined) errors.push(`${name}_FILE is empty: ${file}`);
    return secret;
  } catch (cause) {
    errors.push(`${name}_FILE cannot be read: ${reasonOf(cause)}`);
    return undefined;
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
