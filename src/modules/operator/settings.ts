import type { Host } from '../../host/module.ts';
import { SETTINGS } from '../../host/settings/setting-table.ts';
import type { AskedAction, OperatorAct } from './actions.ts';
import type { OperatorSettings } from './schemas/settings.ts';

/** The settings of a service: as it was started, and as they are now. */
export type SettingsOwner = Pick<Host, 'configuration' | 'logger'>;

const LOG_LEVEL = 'logLevel';
const { choices: LEVELS, about } = SETTINGS[LOG_LEVEL];

/** The configuration that the service was started with, secrets masked, and the settings that may be changed while it runs. */
export const operatorSettings = ({
  configuration,
  logger,
}: SettingsOwner): Omit<OperatorSettings, 'allows_actions'> => ({
  changeable: [{ setting: LOG_LEVEL, value: logger.level, choices: [...LEVELS], about }],
  configuration: configuration.map(({ name, flag, variable, value, source, about: meaning }) => ({
    name,
    flag,
    variable,
    value: value ?? null,
    source: source?.kind ?? (value === undefined ? 'none' : 'default'),
    from: source?.name ?? null,
    about: meaning,
  })),
});

/** Changes a setting until the service ends. Undefined where the body is no such request. */
export function settingAction({ logger }: SettingsOwner, { text }: AskedAction): OperatorAct | undefined {
  const action = text('action');
  const setting = text('setting');
  const wanted = text('value');
  const level = LEVELS.find((known) => known === wanted);
  if (action !== 'set' || setting !== LOG_LEVEL || level === undefined) return undefined;
  return () => {
    const before = logger.level;
    const said = { action, detail: `${setting} from ${before} to ${level}` };
    if (before === level) return { ...said, refused: `${setting} is ${level} already` };
    logger.level = level;
    return said;
  };
}
