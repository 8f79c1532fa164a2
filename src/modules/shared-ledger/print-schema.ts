import { CREATE_IDENTITIES, identityGrantsTo } from './identities/schema.ts';
import { CREATE_TABLES, grantsTo } from './payments/schema.ts';
import { CREATE_SHARED_TABLES, sharedTablesGrantsTo } from './tables/schema.ts';

/** Names of database roles. */
export interface SchemaRoles {
  readonly role?: string;
  readonly collector?: string;
  readonly recorder?: string;
}

/** psql runs a script to its end whatever fails, and exits with 0, where it is not told otherwise. */
const STOP_AT_FIRST_ERROR = '\\set ON_ERROR_STOP on\n';

/** Prints the tables as a script of psql, and the rights of these roles to them. */
export function printSchema({ role, collector, recorder }: SchemaRoles): void {
  process.stdout.write(STOP_AT_FIRST_ERROR + CREATE_TABLES + CREATE_IDENTITIES + CREATE_SHARED_TABLES);
  if (role !== undefined)
    process.stdout.write(
      grantsTo(role) + sharedTablesGrantsTo(role) + identityGrantsTo(role, collector === undefined),
    );
  if (collector !== undefined) process.stdout.write(identityGrantsTo(collector, true));
  if (recorder !== undefined) process.stdout.write(identityGrantsTo(recorder, false));
}
