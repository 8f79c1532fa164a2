import { RpcError } from '../../pay/rpc.ts';

/**
 * Words by which a transaction is turned away before anybody else has seen it: of geth, reth, Nethermind, Besu
 * and anvil, and of gateways that are asked too often.
 */
const REFUSALS: readonly RegExp[] = [
  /nonce (?:is )?too (?:low|high)|nonce has already been used/i,
  /underpriced|fee ?too ?low|less than block base fee|below (?:current base fee|minimum)|minimum gas price/i,
  /insufficient ?funds|exceeds account balance|exceeds the configured cap/i,
  /intrinsic gas|floor data gas|exceeds block gas limit/i,
  /invalid (?:transaction )?(?:sender|signature)|invalid chain ?id|transaction type not supported/i,
  /(?:tx|transaction) ?pool is full|account limit exceeded|oversized data/i,
  /rate.?limit|too many requests|request limit reached|compute units/i,
];

/** No such method, a limit that is exceeded (EIP-1474), and the status of HTTP that says the same. */
const REFUSAL_CODES: ReadonlySet<number> = new Set([-32601, -32005, 429]);

/** The fate of a transaction that a node was sent. */
export type SubmissionOutcome =
  | { readonly kind: 'taken' }
  /** It certainly was not taken. */
  | { readonly kind: 'refused'; readonly message: string }
  /** No answer, or an error by which it may be on its way: a gateway may have passed it on before it failed. */
  | { readonly kind: 'unclear' };

/** The fate of a transaction by the node's error, or by the lack of an answer. */
export function submissionOutcomeOf(cause: unknown): SubmissionOutcome {
  if (!(cause instanceof RpcError) || cause.answer === undefined) return { kind: 'unclear' };
  const { code, message } = cause.answer;
  if (/already known|already imported|known transaction/i.test(message)) return { kind: 'taken' };
  const isRefused = REFUSAL_CODES.has(code) || REFUSALS.some((words) => words.test(message));
  return isRefused ? { kind: 'refused', message } : { kind: 'unclear' };
}
