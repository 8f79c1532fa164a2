import type { FieldReader } from './config-fields.ts';
import { createCdpSigner } from './facilitators/cdp-auth.ts';

/** Credentials by which a hosted facilitator knows the seller. */
export type FacilitatorAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'cdp'; readonly keyId: string; readonly keySecret: string };

/** A hosted facilitator. */
export interface RemoteEndpoint {
  readonly url: string;
  readonly auth: FacilitatorAuth;
}

const CDP_HOST = /(?:^|\.)cdp\.coinbase\.com$/;

/**
 * The facilitators in order of preference: addresses between commas. A token is for the address at its own place
 * (`,abc`: none for the first, abc for the second). Coinbase's key is only ever sent to Coinbase's host, or to the one
 * address there is.
 */
export function readFacilitators(fields: FieldReader): readonly RemoteEndpoint[] {
  const urls = fields.list('FACILITATOR_URL').flatMap((text) => {
    const url = fields.checkUrl('FACILITATOR_URL', text);
    return url === undefined ? [] : [url];
  });
  if (fields.list('FACILITATOR_URL').length === 0) {
    fields.fault('FACILITATOR_URL is required: an absolute https address');
  }
  if (new Set(urls).size < urls.length) fields.fault('FACILITATOR_URL names one address twice');
  const tokens = fields.list('FACILITATOR_TOKEN');
  if (urls.length > 0 && tokens.length > urls.length) {
    fields.fault('FACILITATOR_TOKEN has more tokens than FACILITATOR_URL has addresses');
  }
  const cdp = readCdpKey(fields);
  const isCdp = (url: string): boolean => urls.length === 1 || CDP_HOST.test(new URL(url).hostname);
  const endpoints = urls.map((url, i): RemoteEndpoint => {
    const token = tokens[i] ?? '';
    if (cdp !== undefined && isCdp(url)) {
      if (token !== '') fields.fault('FACILITATOR_TOKEN and CDP_API_KEY_ID exclude each other');
      return { url, auth: cdp };
    }
    return { url, auth: token === '' ? { kind: 'none' } : { kind: 'bearer', token } };
  });
  if (cdp !== undefined && urls.length > 0 && !urls.some(isCdp)) {
    fields.fault('CDP_API_KEY_ID is set, but no address of FACILITATOR_URL is Coinbase’s');
  }
  return endpoints;
}

function readCdpKey(fields: FieldReader): FacilitatorAuth | undefined {
  const keyId = fields.text('CDP_API_KEY_ID');
  const keySecret = fields.text('CDP_API_KEY_SECRET');
  if ((keyId === undefined) !== (keySecret === undefined)) {
    fields.fault('CDP_API_KEY_ID and CDP_API_KEY_SECRET belong together');
  }
  if (keySecret !== undefined && createCdpSigner('', keySecret) === undefined) {
    fields.fault('CDP_API_KEY_SECRET is neither an Ed25519 key in base64 nor an ECDSA P-256 key in PEM');
  }
  return keyId === undefined || keySecret === undefined ? undefined : { kind: 'cdp', keyId, keySecret };
}
