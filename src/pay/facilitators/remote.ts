import type { FacilitatorAuth } from '../config-facilitators.ts';
import type { Facilitator } from '../facilitator.ts';
import { createCdpSigner } from './cdp-auth.ts';
import { createFacilitator, DEFAULT_TIMEOUTS, type FacilitatorTimeouts } from './client.ts';
import { createHttpClient, type HttpClientOptions } from './http-client.ts';

export interface RemoteFacilitatorOptions {
  readonly url: string;
  readonly auth: FacilitatorAuth;
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
  readonly times?: FacilitatorTimeouts;
}

/**
 * A hosted facilitator over HTTP.
 *
 * @throws where the CDP secret is not a key; checked at start
 */
export function createRemoteFacilitator(options: RemoteFacilitatorOptions): Facilitator {
  const { url, auth, scheme, network, times = DEFAULT_TIMEOUTS } = options;
  const client = createHttpClient({
    url,
    headers: authHeaders(url, auth),
    timeoutMs: (call) => (call === 'settle' ? times.settleMs : times.verifyMs),
  });
  return createFacilitator({ name: url, verify: client, settle: client }, { scheme, network }, times);
}

function authHeaders(url: string, auth: FacilitatorAuth): HttpClientOptions['headers'] {
  if (auth.kind === 'none') return () => ({});
  if (auth.kind === 'bearer') return () => ({ authorization: `Bearer ${auth.token}` });
  const signer = createCdpSigner(auth.keyId, auth.keySecret);
  if (signer === undefined) {
    throw new Error('CDP_API_KEY_SECRET is neither an Ed25519 key in base64 nor an ECDSA P-256 key in PEM');
  }
  return (call, method) => {
    const token = signer(method, new URL(`${url}/${call}`), Math.floor(Date.now() / 1000));
    return { authorization: `Bearer ${token}` };
  };
}
