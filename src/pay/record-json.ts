import { isWire, type Wire } from '../domain/read.ts';
import { asMs } from '../domain/units.ts';
import { draftOf, type PaymentRecord } from './record.ts';
import { formatNamed, type SchemeFormat } from './scheme.ts';

/** Rows without the number of a scheme are of this one: those of builds that knew no other. */
const UNNUMBERED = 1;

/** Writes payments as JSON, and reads them. */
export interface RecordJson {
  write(record: PaymentRecord): string;
  /** A row that `write` wrote, as it was parsed. Throws where its scheme is not known. */
  read(row: unknown): PaymentRecord;
}

/** @param formats of all schemes whose payments may be stored */
export function createRecordJson(formats: readonly SchemeFormat[]): RecordJson {
  return {
    write(record) {
      const { number, toMembers } = formatNamed(formats, record.scheme);
      const members: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(draftOf(record))) {
        if (name === 'signed') Object.assign(members, toMembers(record.signed));
        else if (name !== 'scheme' && name !== 'overAt') members[name] = value;
      }
      if (number !== UNNUMBERED) members.format = number;
      return JSON.stringify(members);
    },
    read(row) {
      const members: Wire = isWire(row) ? row : {};
      const { format: number = UNNUMBERED } = members;
      const format = formats.find((known) => known.number === number);
      if (format === undefined) throw new Error(`a payment of an unknown scheme: format ${String(number)}`);
      const signed = format.fromMembers(members);
      const stored = { ...members, scheme: format.name, signed, overAt: asMs(format.overAt(signed)) };
      return draftOf(stored as unknown as PaymentRecord);
    },
  };
}
