import { isWire } from '../../src/domain/read.ts';
import { type ClientRoute, type Field, fieldsOf, wireOf } from '../client-schema.ts';

/** The list of an answer that is its table, which is the one with most columns; undefined where it has none. */
export function tableOf({
  answer,
  contentType,
}: ClientRoute): readonly [string, readonly Field[]] | undefined {
  if (contentType !== undefined) return undefined;
  let widest: readonly [string, readonly Field[]] | undefined;
  for (const { name, schema } of fieldsOf(wireOf(answer))) {
    const columns = isWire(schema.items) ? fieldsOf(schema.items) : [];
    if (columns.length > (widest?.[1].length ?? 0)) widest = [name, columns];
  }
  return widest;
}
