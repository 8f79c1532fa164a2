import { type FacilitatorConfig, HTTPFacilitatorClient } from '@x402/core/http';
import type { FacilitatorAuth } from '../config.ts';
import type { Facilitator } from '../facilitator.ts';
import { createCdpSigner } from './cdp-auth.ts';
import { createFacilitator, DEFAULT_TIMES, type FacilitatorTimes } from './client.ts';

export interface RemoteFacilitatorOptions {
  readonly url: string;
  readonly auth: FacilitatorAuth;
  /** CAIP-2. */
  readonly network: string;
  readonly times?: FacilitatorTimes;
}

/**
 * A hosted facilitator over HTTP.
 *
 * @throws where the CDP secret is not a key; checked at start
 */
export function createRemoteFacilitator(options: RemoteFacilitatorOptions): Facilitator {
  const { url, auth, network, times = DEFAULT_TIMES } = options;
  const createAuthHeaders = authHeaders(url, auth);
  const base: FacilitatorConfig = { url, ...(createAuthHeaders === undefined ? {} : { createAuthHeaders }) };
  // The client has one time limit for all calls, so each call has its own client.
  const verify = new HTTPFacilitatorClient({ ...base, timeoutMs: times.verifyMs });
  const settle = new HTTPFacilitatorClient({ ...base, timeoutMs: times.settleMs });
  return createFacilitator({ verify, settle }, network, times);
}

function authHeaders(url: string, auth: FacilitatorAuth): FacilitatorConfig['createAuthHeaders'] {
  if (auth.kind === 'none') return undefined;
  if (auth.kind === 'bearer') {
    const headers = { Authorization: `Bearer ${auth.token}` };
    return async () => ({ verify: headers, settle: headers, supported: headers });
  }
  const signer = createCdpSigner(auth.keyId, auth.keySecret);
  if (signer === undefined) {
    throw new Error('CDP_API_KEY_SECRET is neither an Ed25519 key in base64 nor an ECDSA P-256 key in PEM');
  }
  return async () => {
    const now = Math.floor(Date.now() / 1000);
    const bearer = (method: string, call: string): Record<string, string> => ({
      Authorization: `Bearer ${signer(method, new URL(`${url}/${call}`), now)}`,
    });
    return {
      verify: bearer('POST', 'verify'),
      settle: bearer('POST', 'settle'),
      supported: bearer('GET', 'supported'),
    };
  };
}
