import { isWire } from '../../src/domain/read.ts';

/** An answer as HTTP and as a tool ask for it, and its price in atomic units. */
export interface Question {
  readonly path: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly atomic: string;
}

interface Presentation {
  readonly url: string;
  /** Client address. */
  readonly address: string;
  readonly payload: object;
  /** The payload as a header carries it. */
  readonly header: string;
  readonly question: Question;
  /** When the client hangs up; undefined: it waits. */
  readonly cutAfterMs: number | undefined;
}

/** The outcome of presenting a payment. */
export interface Presented {
  readonly sold: boolean;
  readonly cut: boolean;
  /** An answer that should never be given. */
  readonly fault?: string;
}

/** A way to present a payment. */
export interface Presenter {
  readonly name: string;
  readonly present: (presentation: Presentation) => Promise<Presented>;
}

interface Asked {
  readonly status: number;
  readonly text: string;
}

async function ask(url: string, init: RequestInit, { cutAfterMs }: Presentation): Promise<Asked | undefined> {
  try {
    const signal = cutAfterMs === undefined ? {} : { signal: AbortSignal.timeout(cutAfterMs) };
    const response = await fetch(url, { ...init, ...signal });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    if (cutAfterMs === undefined) throw cause;
    return undefined;
  }
}

const CUT: Presented = { sold: false, cut: true };
const HTTP_STATUSES = [200, 402, 409, 503];

async function overHttp(presentation: Presentation): Promise<Presented> {
  const { url, address, header, question } = presentation;
  const headers = { 'payment-signature': header, 'x-forwarded-for': address };
  const answer = await ask(url + question.path, { headers }, presentation);
  if (answer === undefined) return CUT;
  const { status, text } = answer;
  const fault = HTTP_STATUSES.includes(status) ? {} : { fault: `${status} ${text.slice(0, 120)}` };
  return { sold: status === 200, cut: false, ...fault };
}

/** The message in an answer, plain or as an event. */
function resultIn(text: string): unknown {
  const line = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? 'null');
  const message: unknown = JSON.parse(line);
  return isWire(message) ? message.result : undefined;
}

const REVISION = '2026-07-28';
const ABOUT_CLIENT = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const overMcp =
  (isModern: boolean) =>
  async (presentation: Presentation): Promise<Presented> => {
    const { url, address, payload, question } = presentation;
    const { tool: name, arguments: args } = question;
    const _meta = { 'x402/payment': payload, ...(isModern && ABOUT_CLIENT) };
    const params = { name, arguments: args, _meta };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': address,
      'mcp-protocol-version': isModern ? REVISION : '2025-11-25',
      ...(isModern && { 'mcp-method': 'tools/call', 'mcp-name': name }),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const answer = await ask(`${url}/mcp`, { method: 'POST', headers, body }, presentation);
    if (answer === undefined) return CUT;
    const { status, text } = answer;
    const result = status === 200 ? resultIn(text) : undefined;
    if (!isWire(result)) return { sold: false, cut: false, fault: `${status} ${text.slice(0, 120)}` };
    return { sold: result.isError !== true, cut: false };
  };

/** The ways in which one authorization is presented. */
export const TRANSPORTS: readonly [Presenter, Presenter, Presenter] = [
  { name: 'HTTP', present: overHttp },
  { name: 'MCP 2026-07-28', present: overMcp(true) },
  { name: 'MCP 2025-11-25', present: overMcp(false) },
];
