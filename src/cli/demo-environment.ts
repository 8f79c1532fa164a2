import type { SettingSpec } from './setting-spec.ts';
import { SETTINGS, type SettingName } from './setting-table.ts';
import { envNames } from './settings.ts';

/** Settings that name stores, a feed, keys or venues of an operator. */
const NOT_IN_DEMO = (Object.keys(SETTINGS) as SettingName[]).filter((name) => {
  const spec: SettingSpec = SETTINGS[name];
  return spec.notInDemo === true;
});

/** Every variable that could give the demo one of them. */
const FOREIGN = NOT_IN_DEMO.flatMap((name) => envNames(name).flatMap((one) => [one, `${one}_FILE`]));

/**
 * The variables of an environment that the demo leaves alone: with them simulated data and payments in play money would be
 * written into the stores of a service that sells.
 */
export function ignoredInDemo(env: NodeJS.ProcessEnv): readonly string[] {
  return FOREIGN.filter((name) => env[name] !== undefined && env[name] !== '');
}
