import type { Command } from 'commander';
import { withPlaced } from '../runtime/placed.ts';
import type { AddCommand, CommandHost, GivenSettings } from './command.ts';
import { seamsOf } from './given-seams.ts';
import type { Module } from './module.ts';
import { reading } from './open-modules.ts';
import { envNames, readSettings, type SettingSpecs } from './settings/settings.ts';

/** @param specs settings of the core and of all modules */
export const commandHost = (specs: SettingSpecs, modules: readonly Module[]): CommandHost => ({
  specs,
  blocks: modules.flatMap(({ commands = [] }) => commands),
  recorded: new Map(modules.flatMap(({ recorded = {} }) => Object.entries(recorded))),
  table: async () => (await import('./route-table.ts')).routeTableOf(modules),
  settingsOf: (group) =>
    modules
      .flatMap(({ settings = [] }) => settings)
      .filter(({ groups = [] }) => groups.includes(group))
      .flatMap(({ specs: own }) => Object.keys(own)),
  seamsOf: ({ settings }) => seamsOf(modules, reading(settings)),
  withSettings(command, names) {
    for (const name of names) {
      const spec = specs[name];
      if (spec === undefined) throw new Error(`no setting is called ${name}`);
      const choices = spec.choices === undefined ? '' : ` (${spec.choices.join(' | ')})`;
      const fallback = spec.fallback === undefined ? '' : ` (default ${spec.fallback})`;
      command.option(`--${spec.flag} <value>`, `${spec.about}${choices}${fallback} [${envNames(spec)[0]}]`);
    }
    return command;
  },
  settingsFrom(flags) {
    const result = readSettings(specs, flags, process.env);
    if (result.ok) {
      const { given, sources } = result;
      return { settings: result.settings as GivenSettings['settings'], given, sources };
    }
    for (const error of result.errors) process.stderr.write(`perpmeter: ${error}\n`);
    return undefined;
  },
});

/**
 * Adds the commands of the core, in order, with those of modules between them.
 *
 * @param group name of the group that `program` is; undefined for the program itself
 */
export function addCommands(
  program: Command,
  core: Iterable<readonly [name: string, add: AddCommand]>,
  host: CommandHost,
  group?: string,
): void {
  const added = host.blocks
    .filter((block) => block.group === group)
    .map(({ name, add, after }) => [name, add, after] as const);
  for (const [, add] of withPlaced(core, added)) add(program, host);
}
