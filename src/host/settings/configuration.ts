import type { GivenSettings } from '../command.ts';
import { envNames, type SettingSource, type SettingSpecs } from './settings.ts';

/** A setting in force, with the place that its value is from. */
export interface ConfigurationRow {
  /** Name under which the code reads it. */
  readonly name: string;
  readonly flag: string;
  readonly variable: string;
  /** As text, a secret masked; undefined where it was not given and has no default. */
  readonly value: string | undefined;
  /** Undefined: its default, or nothing. */
  readonly source: SettingSource | undefined;
  readonly about: string;
}

/** The configuration that a service was started with, in the order of the settings; secrets are masked. */
export const configurationOf = (
  specs: SettingSpecs,
  { settings, sources }: Pick<GivenSettings, 'settings' | 'sources'>,
): readonly ConfigurationRow[] =>
  Object.entries(specs).map(([name, spec]) => ({
    name,
    flag: `--${spec.flag}`,
    variable: envNames(spec)[0],
    value: textOf(settings[name], spec.secret === true),
    source: sources.get(name),
    about: spec.about,
  }));

function textOf(value: unknown, isSecret: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (isSecret) return '***';
  return Array.isArray(value) ? value.join(',') : String(value);
}
