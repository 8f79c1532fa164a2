import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Static, TSchema } from 'typebox';
import { systemClock } from '../../domain/clock.ts';
import type { LogTail } from '../../host/log-tail.ts';
import type { Service } from '../../host/options.ts';
import { StoreUnreachable } from '../../storage/remote-state.ts';
import { operatorAccounts } from './accounts.ts';
import { type AskedAction, carryOut, type OperatorAct, readAction } from './actions.ts';
import type { AuditLog } from './audit-log.ts';
import { BadQuery } from './bad-query.ts';
import { operatorEarnings } from './earnings.ts';
import { operatorFailures } from './failures.ts';
import { isCrossOrigin } from './guard.ts';
import { identityAction, operatorIdentities } from './identities.ts';
import { noteAction, operatorIncidents } from './incidents.ts';
import { operatorLedger } from './ledger.ts';
import { operatorStory } from './payment-story.ts';
import { lookAction, operatorPayments } from './payments.ts';
import { accountsSchema } from './schemas/accounts.ts';
import { earningsSchema } from './schemas/earnings.ts';
import { failuresSchema, ledgerSchema, storySchema } from './schemas/ledger.ts';
import { paymentsSchema } from './schemas/payments.ts';
import { identitiesSchema, incidentsSchema, logSchema } from './schemas/records.ts';
import { settingsSchema } from './schemas/settings.ts';
import { stateSchema } from './schemas/state.ts';
import { trendsSchema } from './schemas/trends.ts';
import { venuesSchema } from './schemas/venues.ts';
import { operatorSettings, type SettingsOwner, settingAction } from './settings.ts';
import { operatorState } from './state.ts';
import { operatorTrends, type Trends } from './trends.ts';
import { operatorVenues, venueAction } from './venues.ts';

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

const MAX_BYTES = 10_000;

/** A document that only the operator may read: its schema, and what makes it. */
interface Document<S extends TSchema = TSchema> {
  readonly schema: S;
  readonly read: (
    context: OperatorContext,
    query: URLSearchParams,
  ) => Static<S> | BadQuery | Promise<Static<S> | BadQuery>;
}

const document = <S extends TSchema>(schema: S, read: Document<S>['read']): Document => ({ schema, read });

/** Documents that only the operator may read. */
export const DOCUMENTS: Readonly<Record<string, Document>> = {
  '/operator/state': document(stateSchema, ({ service }) => operatorState(service)),
  '/operator/payments': document(paymentsSchema, async ({ service, allowsActions }) => ({
    allows_actions: allowsActions,
    ...(await operatorPayments(service)),
  })),
  '/operator/ledger': document(ledgerSchema, ({ service }, query) => operatorLedger(service, query)),
  '/operator/ledger/payment': document(storySchema, ({ service }, query) =>
    operatorStory(service, query.get('key') ?? ''),
  ),
  '/operator/ledger/failures': document(failuresSchema, ({ service }) => operatorFailures(service)),
  '/operator/earnings': document(earningsSchema, ({ service }) =>
    operatorEarnings(service, systemClock.now()),
  ),
  '/operator/accounts': document(accountsSchema, ({ service }) => operatorAccounts(service)),
  '/operator/venues': document(venuesSchema, ({ service, allowsActions }) => ({
    allows_actions: allowsActions,
    venues: [...operatorVenues(service)],
  })),
  '/operator/settings': document(settingsSchema, ({ settings, allowsActions }) => ({
    allows_actions: allowsActions,
    ...operatorSettings(settings),
  })),
  '/operator/trends': document(trendsSchema, ({ trends }, query) =>
    operatorTrends(trends, query, systemClock.now()),
  ),
  '/operator/identities': document(identitiesSchema, ({ service, allowsActions }, query) => ({
    allows_actions: allowsActions,
    ...operatorIdentities(service, query.get('q') ?? ''),
  })),
  '/operator/incidents': document(incidentsSchema, ({ service }) => operatorIncidents(service)),
  '/operator/log': document(logSchema, ({ log, audit }) => ({
    lines: [...log.lines()],
    audit: [...audit.latest()],
  })),
};

interface ActionOfPath {
  readonly wanted: string;
  readonly read: (context: OperatorContext, asked: AskedAction) => OperatorAct | undefined;
}

/** Actions by POST. */
const ACTIONS: Readonly<Record<string, ActionOfPath>> = {
  '/operator/identities': {
    wanted:
      'request, reason and action: merge (from, to), split (from, venues), pin (venue, symbol, to) or undo (sequence)',
    read: ({ service }, asked) => identityAction(service, asked),
  },
  '/operator/payments': {
    wanted: 'request, reason and action: look (payer, nonce)',
    read: ({ service }, asked) => lookAction(service, asked),
  },
  '/operator/incidents': {
    wanted: 'request, incident (a number) and note',
    read: ({ service }, asked) => noteAction(service, asked),
  },
  '/operator/venues': {
    wanted: 'request, reason and action: pause or resume (venue)',
    read: ({ service }, asked) => venueAction(service, asked),
  },
  '/operator/settings': {
    wanted: 'request, reason and action: set (setting: logLevel; value: one of its choices)',
    read: ({ settings }, asked) => settingAction(settings, asked),
  },
};

export const OPERATOR_PATHS: readonly string[] = Object.keys(DOCUMENTS);

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(JSON.stringify(body));
}

const refuse = (response: ServerResponse, status: number, title: string, detail: string): void =>
  sendJson(response, status, { type: 'about:blank', status, title, detail });

/** Answers what only the operator may read, or do; false where the path is another's. The guard was passed before. */
export async function answerOperatorDocument(
  context: OperatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  if (!Object.hasOwn(DOCUMENTS, path)) return false;
  const action = ACTIONS[path];
  try {
    if (request.method === 'POST' && action !== undefined) await act(context, action, request, response);
    else if (request.method !== 'GET') {
      refuse(response, 405, 'Method not allowed', `${path} is only read.`);
    } else {
      const body = await DOCUMENTS[path]?.read(context, new URLSearchParams(query));
      if (body instanceof BadQuery) refuse(response, 400, 'Not a search', body.detail);
      else sendJson(response, 200, body);
    }
  } catch (cause) {
    if (!(cause instanceof StoreUnreachable)) throw cause;
    const detail = 'Without it nothing is sold, and nothing is known of payments: ask again in a moment.';
    refuse(response, 503, 'The ledger does not answer', detail);
  }
  return true;
}

/** An action: allowed by its own setting, asked by this port's own page or by a program, and written to the audit log. */
async function act(
  context: OperatorContext,
  { read, wanted }: ActionOfPath,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!context.allowsActions) {
    const detail = 'This port only reads. ADMIN_ACTIONS=on, with an ADMIN_TOKEN, lets it act.';
    return refuse(response, 403, 'Actions are off', detail);
  }
  if (isCrossOrigin(request) || !/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return refuse(
      response,
      403,
      'Foreign page',
      'Only the page of this port may act through a browser, with JSON.',
    );
  }
  const asked = readAction(await readJson(request));
  const operatorAct = asked && read(context, asked);
  if (asked === undefined || operatorAct === undefined) {
    return refuse(response, 400, 'Not an action', `The body wants ${wanted}.`);
  }
  const entry = await carryOut(context.audit, { ...asked, by: askerOf(request) }, operatorAct);
  if (entry.refused !== undefined) refuse(response, 409, 'Nothing was changed', entry.refused);
  else sendJson(response, 200, entry);
}

/** The asker, as far as it is known: everyone who acts has presented the one token. */
const askerOf = ({ headers, socket }: IncomingMessage): string =>
  `${headers.origin === undefined ? 'a program' : 'the page'} at ${socket.remoteAddress ?? 'an unknown address'}`;

/** Undefined where it is too long or no JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BYTES) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
