import type { TSchemaOptions } from 'typebox';

/**
 * Keyword of the schema of a part: an object with the `path` of a call and its `answer`, which is checked where that call makes
 * it. Its value is the paths of the routes that the call may be of.
 */
export const PART_OF = 'partOf';

export const partOf = (paths: readonly string[]): TSchemaOptions => ({ [PART_OF]: [...paths] });
