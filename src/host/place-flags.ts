import type { CommandHost, GivenSettings, SettingFlags } from './command.ts';

/** Names of the settings that say where the data of a group of commands is, as `ledger`. */
export const placeNames = (host: Pick<CommandHost, 'settingsOf'>, group: string): readonly string[] => [
  'dataDir',
  ...host.settingsOf(group),
];

/**
 * Runs a command with the settings that its flags and the environment give; sets the exit code, 2 where a setting is wrong.
 *
 * @param names settings that are flags of the command
 */
export async function runWithSettings(
  host: Pick<CommandHost, 'settingsFrom'>,
  flags: object,
  names: readonly string[],
  task: (given: GivenSettings) => Promise<number>,
): Promise<void> {
  const all = new Map<string, string | undefined>(Object.entries(flags));
  const named: SettingFlags = Object.fromEntries(names.map((name) => [name, all.get(name)]));
  const given = host.settingsFrom(named);
  process.exitCode = given === undefined ? 2 : await task(given);
}
