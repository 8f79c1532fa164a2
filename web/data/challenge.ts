/** One way to pay for an answer, as the service asks for it (x402 version 2, scheme exact). */
export interface Requirement {
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
  /** Atomic units. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
}

export interface Challenge {
  readonly x402Version: number;
  readonly resource?: unknown;
  readonly accepts: readonly Requirement[];
}

function isChallenge(value: unknown): value is Challenge {
  return typeof value === 'object' && value !== null && 'accepts' in value && Array.isArray(value.accepts);
}

/** The challenge of a 402; undefined where it has none that can be read. */
export function readChallenge(response: Response): Challenge | undefined {
  try {
    const bytes = Uint8Array.from(atob(response.headers.get('payment-required') ?? ''), (one) =>
      one.charCodeAt(0),
    );
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isChallenge(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
