import type { FacilitatorClient } from '@x402/core/server';
import {
  FacilitatorResponseError,
  SettleError,
  type SettleResponse,
  type SupportedResponse,
  VerifyError,
  type VerifyResponse,
} from '@x402/core/types';
import { Agent } from 'undici';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { fetchText } from './fetch-text.ts';

/** The calls of a facilitator's HTTP interface. */
export type FacilitatorCall = 'verify' | 'settle' | 'supported';

/** A status other than 200 without the fields that an answer to the call would have. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

export interface HttpClientOptions {
  /** Without a trailing slash. */
  readonly url: string;
  /** Of each call, from the first byte sent to the last one read. */
  readonly timeoutMs: (call: FacilitatorCall) => number;
  /** Headers that say who we are. */
  readonly headers: (call: FacilitatorCall, method: string) => Readonly<Record<string, string>>;
}

/** No answer of a facilitator comes near this; more is not read. */
const MAX_BODY_BYTES = 256 * 1024;
const CONNECT_MS = 3_000;

/**
 * A facilitator over HTTP: one attempt a call, no redirects, bodies bounded, nothing printed. Rejects as the SDK's own
 * client does: VerifyError and SettleError with the fields of a refusal, FacilitatorResponseError for nonsense,
 * StatusError for anything else that is not 200, and undici's errors where there was no answer.
 */
export function createHttpClient(options: HttpClientOptions): FacilitatorClient {
  const agent = new Agent({ connect: { timeout: CONNECT_MS }, keepAliveTimeout: 10_000 });
  const place = placeOf(options.url);
  const ask = (call: FacilitatorCall, body?: unknown): Promise<Answer> =>
    send(place, options, agent, call, body);
  return {
    async verify(paymentPayload, paymentRequirements) {
      const { x402Version } = paymentPayload;
      const { status, json } = await ask('verify', { x402Version, paymentPayload, paymentRequirements });
      const answer = readVerify(json);
      if (status === 200 && answer !== undefined) return answer;
      if (status === 200) throw new FacilitatorResponseError('verify: the answer makes no sense');
      throw answer === undefined ? new StatusError(status) : new VerifyError(status, answer);
    },
    async settle(paymentPayload, paymentRequirements) {
      const { x402Version } = paymentPayload;
      const { status, json } = await ask('settle', { x402Version, paymentPayload, paymentRequirements });
      const answer = readSettle(json, status);
      if (status === 200 && answer !== undefined) return answer;
      if (status === 200) throw new FacilitatorResponseError('settle: the answer makes no sense');
      throw answer === undefined ? new StatusError(status) : new SettleError(status, answer);
    },
    async getSupported() {
      const { status, json } = await ask('supported');
      if (status !== 200) throw new StatusError(status);
      return readSupported(json);
    },
  };
}

interface Answer {
  readonly status: number;
  /** Undefined where the body is no JSON object. */
  readonly json: Wire | undefined;
}

async function send(
  { origin, folder }: Place,
  { headers, timeoutMs }: HttpClientOptions,
  agent: Agent,
  call: FacilitatorCall,
  body: unknown,
): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  const { status, text } = await fetchText(
    agent,
    {
      origin,
      path: `${folder}/${call}`,
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers(call, method) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    { timeoutMs: timeoutMs(call), maxBytes: MAX_BODY_BYTES },
  );
  if (text === undefined) throw new FacilitatorResponseError(`${call}: the answer is too large`);
  return { status, json: parse(text) };
}

/** The address of a facilitator's calls. */
interface Place {
  readonly origin: string;
  /** Without a trailing slash. */
  readonly folder: string;
}

function placeOf(url: string): Place {
  const { origin, pathname } = new URL(url);
  return { origin, folder: pathname.replace(/\/$/, '') };
}

function parse(text: string): Wire | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isWire(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function readVerify(json: Wire | undefined): VerifyResponse | undefined {
  if (typeof json?.isValid !== 'boolean') return undefined;
  const invalidReason = readText(json.invalidReason);
  const payer = readText(json.payer);
  return {
    isValid: json.isValid,
    ...(invalidReason === undefined ? {} : { invalidReason }),
    ...(payer === undefined ? {} : { payer }),
  };
}

/**
 * Beside a status that is no 200, a reason or a transaction is enough: a facilitator that names one has worked
 * on the payment and did not turn it away unread. A gateway's own error has neither.
 */
function isOutcome({ success, transaction, errorReason }: Wire, status: number): boolean {
  if (typeof success === 'boolean' && typeof transaction === 'string') return true;
  if (status === 200) return false;
  if (readText(transaction) !== undefined || success === true) return true;
  return success === false && readText(errorReason) !== undefined;
}

function readSettle(json: Wire | undefined, status: number): SettleResponse | undefined {
  if (json === undefined || !isOutcome(json, status)) return undefined;
  const errorReason = readText(json.errorReason);
  const payer = readText(json.payer);
  const amount = readText(json.amount);
  return {
    success: json.success === true,
    transaction: readText(json.transaction) ?? '',
    network: (readText(json.network) ?? '') as SettleResponse['network'],
    ...(errorReason === undefined ? {} : { errorReason }),
    ...(payer === undefined ? {} : { payer }),
    ...(amount === undefined ? {} : { amount }),
  };
}

function readSupported(json: Wire | undefined): SupportedResponse {
  const kinds = (wireArray(json?.kinds) ?? []).filter(isWire).map(({ x402Version, scheme, network }) => ({
    x402Version: Number(x402Version),
    scheme: readText(scheme) ?? '',
    network: (readText(network) ?? '') as SupportedResponse['kinds'][number]['network'],
  }));
  return { kinds, extensions: [], signers: {} };
}
