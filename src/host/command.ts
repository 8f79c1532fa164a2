import type { Command } from 'commander';
import type { Placed } from '../runtime/placed.ts';
import type { RecordedMarkets } from './recorded-market.ts';
import type { RouteTable } from './route-table.ts';
import type { Seams } from './seams.ts';
import type { SETTINGS } from './settings/setting-table.ts';
import type { SettingSource, SettingSpecs, SettingsOf } from './settings/settings.ts';

/** Values from flags and environment, by the settings' names. */
export type SettingFlags = Readonly<Record<string, string | undefined>>;

/** All settings, the core's by their types, and the names of those that were given. */
export interface GivenSettings {
  readonly settings: SettingsOf<typeof SETTINGS> & Readonly<Record<string, unknown>>;
  readonly given: ReadonlySet<string>;
  /** The place that gave each of them. */
  readonly sources: ReadonlyMap<string, SettingSource>;
}

/** The host's services for commands. */
export interface CommandHost {
  /** Settings of the core and of all modules, in the order of help. */
  readonly specs: SettingSpecs;
  /** Commands that modules add. */
  readonly blocks: readonly CommandBlock[];
  readonly recorded: RecordedMarkets;
  /** Loads the routes of the core and of all modules. */
  table(): Promise<RouteTable>;
  /** Names of settings that modules add to a group of commands, as `ledger`. */
  settingsOf(group: string): readonly string[];
  /** The parts of the spine that modules give by these settings. */
  seamsOf(given: GivenSettings): Seams;
  /** Adds the flags of these settings; what is given arrives under the setting's own name. */
  withSettings(command: Command, names: readonly string[]): Command;
  /** Settings from flags and environment; undefined after every error was printed. */
  settingsFrom(flags: SettingFlags): GivenSettings | undefined;
}

/** Adds a command to the program, or to a group of commands. */
export type AddCommand = (program: Command, host: CommandHost) => void;

/** A command that a module adds: in help it follows the named one. */
export interface CommandBlock extends Placed {
  readonly name: string;
  /** The group of commands that it belongs to, as `history`; undefined where it is one of the program. */
  readonly group?: string;
  readonly add: AddCommand;
}
