import { envNames, PREFIX, type SettingSpecs } from './settings.ts';

/** Variables of the program that are no settings: those of its buyers, and of a process that it starts. */
const OTHERS: ReadonlySet<string> = new Set(['PERPMETER_URL', 'PERPMETER_BUYER_KEY', 'PERPMETER_PARENT']);

/**
 * Warnings about variables that look like settings and that nothing reads: they are misspelled, or belong to a module that was
 * left out. Short names cannot be told from those of other programs.
 *
 * @param specs settings of the core and of all modules
 */
export function unreadVariables(specs: SettingSpecs, env: NodeJS.ProcessEnv): readonly string[] {
  const names = Object.values(specs).flatMap((spec) => envNames(spec));
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && env[name] !== '' && !known.has(name) && !OTHERS.has(name))
    .map(
      (name) =>
        `${name} is read by no setting: perhaps it is of a module that was left out; serve --help lists all`,
    );
}
