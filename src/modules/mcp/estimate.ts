import type { ListToolsResult } from '@modelcontextprotocol/server';
import { atomicOf, usdOf } from '../../../packages/client/src/usd.ts';
import { problemDocument } from '../../api/problem.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { PaywallReply } from '../../pay/types.ts';
import type { Budget, McpBackend, ToolCall } from './backend.ts';
import { type Asked, type Tool, urlOf } from './tools.ts';

export const ESTIMATE = 'estimate';
/** Calls of a plan: each is checked as a call is, and counts as one for the limit of an address. */
export const MAX_PLANNED = 20;

export const estimateDefinition: ListToolsResult['tools'][number] = {
  name: ESTIMATE,
  description: `The price of each call of a plan, its problem if it would be refused, and the sum. Free, buys nothing.\nUnits: USD, decimal text.\nUse before several paid calls.`,
  inputSchema: {
    type: 'object',
    properties: {
      calls: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, arguments: { type: 'object' } },
          required: ['name'],
        },
      },
    },
    required: ['calls'],
  },
  annotations: { readOnlyHint: true },
};

/** A call that is planned, as it would be made. */
interface Planned {
  readonly name: string;
  readonly arguments: Wire;
}

/** A planned call with its price; its problem is that which the call itself would be answered with. */
interface Priced {
  readonly name: string;
  readonly product: string | null;
  readonly usd: string;
  readonly accepted: boolean;
  readonly problem: Wire | null;
}

/** Amounts are USD as decimal text. A refused call costs nothing and is not in the sum. */
export interface Estimate {
  readonly currency: 'USD';
  readonly total_usd: string;
  readonly accepted: boolean;
  readonly calls: readonly Priced[];
  /** The caps of a server that pays, and true where they allow each call and the sum; else null. */
  readonly budget: (Budget & { readonly allows: boolean }) | null;
}

/** The sources of an estimate. */
export interface Estimating {
  readonly tools: readonly Tool[];
  readonly backend: Pick<McpBackend, 'priceOf' | 'budget'>;
  /** Asks the service without a payment, so that nothing can be charged. */
  readonly ask: (call: Pick<ToolCall, 'url' | 'secret'>) => Promise<PaywallReply>;
}

const refused = (detail: string): Result<never> => fail({ code: 'invalid_parameter', detail });

/** The calls of a plan as they were given; refused where they are no calls. */
export function plannedOf({ calls }: Wire): Result<readonly Planned[]> {
  const list = wireArray(calls);
  if (list === undefined || list.length === 0 || list.length > MAX_PLANNED)
    return refused(`calls: must be a list of 1 to ${MAX_PLANNED} calls {name, arguments}`);
  const planned: Planned[] = [];
  for (const [at, call] of list.entries()) {
    const { name: given, arguments: args = {} } = isWire(call) ? call : {};
    const name = readText(given);
    if (name === undefined || !isWire(args) || Array.isArray(args))
      return refused(`calls[${at}]: must be {name, arguments} with the name of a tool`);
    planned.push({ name: name.slice(0, 64), arguments: args });
  }
  return ok(planned);
}

/** Prices a plan, and asks of each call whether its arguments are taken. Nothing is bought. */
export async function estimate(estimating: Estimating, planned: readonly Planned[]): Promise<Estimate> {
  const calls: Priced[] = [];
  for (const call of planned) calls.push(await priced(estimating, call));
  const each = calls.map(({ usd }) => atomicOf(usd));
  const total = each.reduce((sum, usd) => sum + usd, 0n);
  const budget = estimating.backend.budget?.();
  return {
    currency: 'USD',
    total_usd: usdOf(total),
    accepted: calls.every(({ accepted }) => accepted),
    calls,
    budget: budget === undefined ? null : { ...budget, allows: allows(budget, each, total) },
  };
}

const allows = (budget: Budget, each: readonly bigint[], total: bigint): boolean =>
  each.every((usd) => usd <= atomicOf(budget.per_call_usd)) &&
  total <= atomicOf(budget.total_usd) - atomicOf(budget.spent_usd);

async function priced({ tools, backend, ask }: Estimating, planned: Planned): Promise<Priced> {
  const asked = askedBy(tools, planned);
  const { name } = planned;
  if (!asked.ok)
    return { name, product: null, usd: '0', accepted: false, problem: problemDocument(asked.error) };
  const { product, route, url, secret } = asked.value;
  const reply = await ask({ url, secret });
  const accepted = reply.status === 200 || reply.status === 402;
  const usd = accepted ? (backend.priceOf(route) ?? '0') : '0';
  return { name, product, usd, accepted, problem: accepted ? null : problemIn(reply) };
}

function askedBy(tools: readonly Tool[], { name, arguments: args }: Planned): Result<Asked> {
  const tool = tools.find(({ theme }) => theme.name === name);
  const names = tools.map(({ theme }) => theme.name);
  return tool === undefined ? refused(`name: must be one of ${names.join(', ')}`) : urlOf(tool, args);
}

function problemIn({ status, body }: PaywallReply): Wire {
  try {
    const document: unknown = JSON.parse(body.toString('utf8'));
    if (isWire(document)) return document;
  } catch {
    // A proxy in between answers in words of its own.
  }
  return { code: 'unreadable', detail: `The service answers ${status}.` };
}
