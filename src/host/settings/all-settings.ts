import { withPlaced } from '../../runtime/placed.ts';
import type { Module } from '../module.ts';
import type { SettingSpec } from './setting-spec.ts';
import { SETTINGS } from './setting-table.ts';
import { type SettingSpecs, settingName } from './settings.ts';

/** Settings of the core and of these modules, in the one order of help and printed configuration. */
export function allSpecs(modules: readonly Module[]): SettingSpecs {
  const added = modules
    .flatMap(({ settings = [] }) => settings)
    .flatMap(({ specs, after }) => chained(Object.entries(specs), after));
  return Object.fromEntries(withPlaced<SettingSpec>(Object.entries(SETTINGS), added));
}

/** Each follows the one before it, the first what the block is to follow. */
function chained(
  specs: readonly (readonly [string, SettingSpec])[],
  after: string,
): readonly (readonly [string, SettingSpec, string])[] {
  return specs.map(([name, spec], i) => [name, spec, specs[i - 1]?.[0] ?? after]);
}

/**
 * Settings that were given although their module is off: a service that started without a word would not do what was asked of it.
 * The one that the hint names has turned it off, or on: it has done what it is for.
 *
 * @param hint what would turn the module on
 */
export function settingsOfOff(
  { id, settings = [] }: Module,
  hint: string,
  given: ReadonlySet<string>,
): readonly string[] {
  return settings
    .flatMap(({ specs }) => Object.entries(specs))
    .filter(([name, spec]) => given.has(name) && !hint.includes(settingName(spec)))
    .map(([, spec]) => `${settingName(spec)} does nothing, since the module ${id} is off: ${hint}`);
}
