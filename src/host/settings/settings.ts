import { readFileSync } from 'node:fs';
import { reasonOf } from '../../runtime/reason-of.ts';
import type { SettingSpec } from './setting-spec.ts';
import { SETTINGS, type SettingName } from './setting-table.ts';

type ValueOf<Spec> = Spec extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Spec extends { readonly type: 'integer' }
    ? number
    : Spec extends { readonly type: 'list' }
      ? readonly string[]
      : string;

/** The configuration after parsing; what was not given and has no default is undefined. */
export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends { readonly fallback: string }
    ? ValueOf<(typeof SETTINGS)[Name]>
    : ValueOf<(typeof SETTINGS)[Name]> | undefined;
};

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly errors: readonly string[] };

const PREFIX = 'PERPMETER_';
const names = Object.keys(SETTINGS) as SettingName[];

/** The variable that sets it: `PERPMETER_PORT`, or the short `PORT`. */
export function envNames(name: SettingName): readonly [string, string] {
  return [PREFIX + SETTINGS[name].env, SETTINGS[name].env];
}

function readValue(name: SettingName, text: string): { value?: unknown; error?: string } {
  const spec: SettingSpec = SETTINGS[name];
  const said = `--${spec.flag} (${PREFIX}${spec.env})`;
  if (spec.choices !== undefined && !spec.choices.includes(text)) {
    return { error: `${said} must be one of ${spec.choices.join(', ')}, not "${text}"` };
  }
  if (spec.type === 'integer') {
    const n = Number(text);
    const low = spec.minimum ?? Number.MIN_SAFE_INTEGER;
    const high = spec.maximum ?? Number.MAX_SAFE_INTEGER;
    if (!/^-?\d+$/.test(text) || n < low || n > high) {
      return { error: `${said} must be a whole number from ${low} to ${high}, not "${text}"` };
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
 * Reads the configuration: a flag wins over `PERPMETER_<NAME>`, that over `<NAME>`, that over the default. A secret is
 * also read from the file that `PERPMETER_<NAME>_FILE` or `<NAME>_FILE` names.
 * All errors are returned at once.
 */
export function readSettings(
  flags: Readonly<Partial<Record<SettingName, string>>>,
  env: NodeJS.ProcessEnv,
): SettingsResult {
  const errors: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const name of names) {
    const spec: SettingSpec = SETTINGS[name];
    const [long, short] = envNames(name);
    const given = flags[name] ?? nonEmpty(env[long]) ?? nonEmpty(env[short]);
    const file = given === undefined && spec.secret === true ? fileNamed(env, [long, short]) : undefined;
    const text = given ?? (file === undefined ? spec.fallback : readSecret(file, long, errors));
    if (text === undefined) continue;
    const { value, error } = readValue(name, text);
    if (error !== undefined) errors.push(error);
    else settings[name] = value;
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, settings: settings as Settings };
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
