import { type ParseArgsConfig, parseArgs } from 'node:util';
import { answerHelp } from '../../scripts/usage.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/** The options of a soak as they were given; `--help` says which there are. */
export function readOptions<const T extends Options>(options: T): Values<T> {
  answerHelp(options);
  return parseArgs({ options }).values;
}
