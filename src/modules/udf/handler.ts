import type { ServerResponse } from 'node:http';
import type { RequestHandler } from '../../api/http/http-server.ts';
import type { ReportFault } from '../../api/http/reply.ts';
import { renderProblem } from '../../api/problem.ts';
import { type Failure, ok, type Result } from '../../domain/errors.ts';
import type { Ports } from '../../products/define-product.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { answerHistory, unknownSymbol } from './history.ts';
import { TYPES } from './kinds.ts';
import { chartedOf, configOf, searchSymbols, symbolInfo } from './symbols.ts';

type Answer = (ports: Ports, asked: URLSearchParams) => Result<unknown> | Promise<Result<unknown>>;

/** The library's calls by path. */
const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['/udf/config', ({ market }) => ok(configOf(market, TYPES))],
  ['/udf/time', ({ clock }) => ok(Math.floor(clock.now() / SECOND_MS))],
  ['/udf/symbols', answerSymbols],
  ['/udf/search', ({ market }, asked) => ok(searchSymbols(market, asked))],
  ['/udf/history', answerHistory],
]);

function answerSymbols({ market }: Ports, asked: URLSearchParams): Result<unknown> {
  const name = asked.get('symbol') ?? '';
  const charted = chartedOf(market, name);
  return charted === undefined ? unknownSymbol(name) : ok(symbolInfo(charted));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const type = typeof body === 'number' ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** A failure as the library reads it, beside the status that says the same to everybody else. */
const refuse = (response: ServerResponse, failure: Failure): void =>
  send(response, renderProblem(failure).status, { s: 'error', errmsg: failure.detail });

const INTERNAL: Failure = { code: 'internal', detail: 'The answer could not be made' };

/** Answers the calls of the charting library's UDF adapter. */
export const udfHandler =
  (ports: Ports, report: ReportFault): RequestHandler =>
  (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const answer = request.method === 'GET' ? ANSWERS.get(path) : undefined;
    if (answer === undefined) return false;
    const answered = async (): Promise<void> => {
      const made = await answer(ports, new URLSearchParams(query));
      if (made.ok) send(response, 200, made.value);
      else refuse(response, made.error);
    };
    answered().catch((error: unknown) => {
      report({ at: path, error });
      refuse(response, INTERNAL);
    });
    return true;
  };
