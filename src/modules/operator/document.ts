import type { Static, TSchema } from 'typebox';
import type { Result } from '../../domain/errors.ts';
import type { LogTail } from '../../host/log-tail.ts';
import type { Service } from '../../host/options.ts';
import type { Port } from '../../runtime/port.ts';
import type { AskedAction, OperatorAct } from './actions.ts';
import type { AuditLog } from './audit-log.ts';
import type { SettingsOwner } from './settings.ts';
import type { Trends } from './trends.ts';

/** Sources of the operator's documents. */
export interface OperatorContext {
  readonly service: Service;
  readonly audit: AuditLog;
  readonly log: LogTail;
  readonly settings: SettingsOwner;
  readonly trends: Trends;
  /** True if actions are allowed (ADMIN_ACTIONS); otherwise everything is read-only. */
  readonly allowsActions: boolean;
}

/** An action that is asked for by POST at the path of a document. */
export interface OperatorAction {
  /** Members of the body, for a caller whose body is no such request. */
  readonly wanted: string;
  /** Undefined where the body is no such request. */
  readonly read: (context: OperatorContext, asked: AskedAction) => OperatorAct | undefined;
}

/** A document that only the operator may read: its schema, and what makes it. */
export interface OperatorDocument<S extends TSchema = TSchema> {
  /** Path on the admin port. */
  readonly path: string;
  readonly schema: S;
  /** Fails where the query is not one of this document: the answer is then a 400. */
  readonly read: (
    context: OperatorContext,
    query: URLSearchParams,
  ) => Result<Static<S>> | Promise<Result<Static<S>>>;
  readonly action?: OperatorAction;
}

/** A document whose `read` is held against its schema by the compiler. */
export const operatorDocument = <S extends TSchema>(document: OperatorDocument<S>): OperatorDocument =>
  document;

/** Documents that another module adds to those of the admin port. */
export const OPERATOR_DOCUMENTS: Port<readonly OperatorDocument[]> = {
  name: 'documents of the operator',
  absent: [],
};
