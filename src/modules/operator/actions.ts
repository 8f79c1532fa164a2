import { iso, systemClock } from '../../domain/clock.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditEntry } from './schemas/records.ts';

/** Fields that every request for an action has. */
export interface AskedAction {
  /** Name of the caller's. */
  readonly request: string;
  readonly reason: string;
  readonly fields: ReadonlyMap<string, unknown>;
  /** A field that is a text and not empty or long. */
  readonly text: (name: string) => string | undefined;
}

/** Does what was asked; the entry's own part of what came of it. */
export type OperatorAct = () => Outcome | Promise<Outcome>;
type Outcome = Omit<AuditEntry, 'at' | 'request' | 'reason' | 'by'>;

const MAX_TEXT_LENGTH = 500;

/** Reads the action from a body; undefined without a name and a reason, or a note, which is one. */
export function readAction(body: unknown): AskedAction | undefined {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  const text = (name: string): string | undefined => {
    const value = fields.get(name);
    return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT_LENGTH
      ? value
      : undefined;
  };
  const request = text('request');
  const reason = text('reason') ?? text('note');
  return request === undefined || reason === undefined ? undefined : { request, reason, fields, text };
}

/** Carries out an action once, and writes it to the audit log, also where it was refused. */
export const carryOut = (
  audit: AuditLog,
  { request, reason, by }: Pick<AskedAction, 'request' | 'reason'> & { readonly by: string },
  act: OperatorAct,
): Promise<AuditEntry> =>
  audit.once(request, async () => {
    const at = iso(systemClock.now());
    return { at, request, reason, by, ...(await act()) };
  });
