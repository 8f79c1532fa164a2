import Type, { type Static } from 'typebox';
import { boolean, nullable, oneOf, text } from '../../../products/answer/schema.ts';

const configured = Type.Object({
  name: text('Name of the setting'),
  flag: text('Flag of the command line'),
  variable: text('Environment variable'),
  value: nullable(text('Value at the start, a secret as ***; null where there is none')),
  source: oneOf(['flag', 'environment', 'file', 'default', 'none']),
  from: nullable(text('The flag, the variable or the path of the file that gave it')),
  about: text('What it is for'),
});

/** A setting that may be changed while the service runs. */
const changeable = Type.Object({
  setting: text('Name of the setting'),
  value: text('Value in force'),
  choices: Type.Array(text('Value that it may have')),
  about: text('What it is for'),
});

/** `/operator/settings`: the configuration with the place of each value, and what may be changed now. */
export const settingsSchema = Type.Object({
  allows_actions: boolean('True where the port lets its page act'),
  changeable: Type.Array(changeable),
  configuration: Type.Array(configured),
});

export type OperatorSettings = Static<typeof settingsSchema>;
export type ConfiguredSetting = Static<typeof configured>;
export type ChangeableSetting = Static<typeof changeable>;
