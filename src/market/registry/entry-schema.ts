import { isWire, type Wire } from '../../domain/read.ts';

/** The permitted form of an entry's member. */
export interface MemberForm {
  readonly is: (value: unknown) => boolean;
  /** Completes "is not". */
  readonly text: string;
  readonly optional?: true;
}

/** The members that an entry of a data file has, and no others. */
export type EntrySchema<T> = { readonly [Member in keyof Required<T>]: MemberForm };

/** The entries of a list that are of the schema; the others are faults, with their place: `crypto assets[12]`. */
export function checkedList<T>(
  list: readonly unknown[],
  schema: EntrySchema<T>,
  place: string,
  faults: string[],
): readonly T[] {
  return list.filter((entry, at): entry is T => {
    const found = faultsOf(entry, schema);
    for (const fault of found) faults.push(`${place}[${at}]: ${fault}`);
    return found.length === 0;
  });
}

/** An object of the schema, or undefined with faults. */
export function checkedEntry<T>(
  entry: unknown,
  schema: EntrySchema<T>,
  place: string,
  faults: string[],
): T | undefined {
  const found = faultsOf(entry, schema);
  for (const fault of found) faults.push(`${place}: ${fault}`);
  return found.length === 0 ? (entry as T) : undefined;
}

const NONE: readonly string[] = [];

function faultsOf(entry: unknown, schema: Readonly<Record<string, MemberForm>>): readonly string[] {
  if (!isWire(entry)) return ['is no object'];
  let faults = NONE;
  for (const member in schema) {
    const form = schema[member];
    const value = entry[member];
    if (form === undefined || (value === undefined ? form.optional === true : form.is(value))) continue;
    faults = [...faults, `${member} is not ${form.text}`];
  }
  return isKnown(entry, schema) ? faults : [...faults, ...unknownMembers(entry, schema)];
}

function isKnown(entry: Wire, schema: Readonly<Record<string, MemberForm>>): boolean {
  for (const member in entry) if (!(member in schema)) return false;
  return true;
}

const unknownMembers = (entry: Wire, schema: Readonly<Record<string, MemberForm>>): readonly string[] =>
  Object.keys(entry)
    .filter((member) => !(member in schema))
    .map((member) => `${member} is not known`);
