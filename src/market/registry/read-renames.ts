import { checkedEntry, checkedList, type EntrySchema } from './entry-schema.ts';
import { ADDRESS, CANONICAL_ID, DAY, FACTOR, LIST, oneOf, optional, TEXT } from './member-forms.ts';
import type { Rename } from './rename.ts';

interface RenameFile {
  /** No day of a rename is later. */
  readonly asOf: string;
  readonly renames: readonly unknown[];
}

const FILE: EntrySchema<RenameFile> = { asOf: DAY, renames: LIST };
const ENTRY: EntrySchema<Rename> = {
  from: CANONICAL_ID,
  to: CANONICAL_ID,
  day: DAY,
  factor: FACTOR,
  history: oneOf(['joined', 'separate']),
  state: oneOf(['done', 'announced']),
  reusedFrom: optional(DAY),
  takenFrom: optional(DAY),
  evidence: TEXT,
  source: ADDRESS,
  confidence: oneOf(['announced', 'reported', 'general_knowledge']),
};

/** Reads the file of renames. */
export function readRenames(json: unknown, faults: string[]): readonly Rename[] {
  const file = checkedEntry(json, FILE, 'renames', faults);
  return checkedList(file?.renames ?? [], ENTRY, 'renames', faults);
}
