import type { IncomingMessage, ServerResponse } from 'node:http';
import { StoreUnreachable } from '../../storage/remote-state.ts';
import { carryOut, readAction } from './actions.ts';
import {
  OPERATOR_DOCUMENTS,
  type OperatorAction,
  type OperatorContext,
  type OperatorDocument,
} from './document.ts';
import { DOCUMENTS } from './documents.ts';
import { isCrossOrigin } from './guard.ts';

const MAX_BYTES = 10_000;

/** Documents of the admin port by path: this module's own, and those that another has brought. */
export function documentsByPath({
  service,
}: Pick<OperatorContext, 'service'>): ReadonlyMap<string, OperatorDocument> {
  const all = [...DOCUMENTS, ...service.readPort(OPERATOR_DOCUMENTS)];
  return new Map(all.map((document) => [document.path, document]));
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(JSON.stringify(body));
}

const refuse = (response: ServerResponse, status: number, title: string, detail: string): void =>
  sendJson(response, status, { type: 'about:blank', status, title, detail });

/** Answers what only the operator may read, or do; false where the path is another's. The guard was passed before. */
export async function answerOperatorDocument(
  documents: ReadonlyMap<string, OperatorDocument>,
  context: OperatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const document = documents.get(path);
  if (document === undefined) return false;
  const { action } = document;
  try {
    if (request.method === 'POST' && action !== undefined) await act(context, action, request, response);
    else if (request.method !== 'GET') {
      refuse(response, 405, 'Method not allowed', `${path} is only read.`);
    } else {
      const answer = await document.read(context, new URLSearchParams(query));
      if (answer.ok) sendJson(response, 200, answer.value);
      else refuse(response, 400, 'Not a search', answer.error.detail);
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
  { read, wanted }: OperatorAction,
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
