import { isAddress, isChecksumAddress, sameAddress } from './address.ts';
import { createCdpSigner } from './facilitators/cdp-auth.ts';
import { BASE, NETWORKS, type PaymentNetwork } from './networks.ts';
import type { Seller } from './seller.ts';

type PaymentMode = 'remote' | 'sandbox' | 'off';

/** How a hosted facilitator knows us. */
export type FacilitatorAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'cdp'; readonly keyId: string; readonly keySecret: string };

interface Common {
  readonly ledgerPath: string;
  readonly baseUrl: string;
  readonly serviceName: string;
}

/** Payments are settled by somebody else's facilitator. */
export interface RemoteConfig extends Common {
  readonly mode: 'remote';
  readonly seller: Seller;
  readonly facilitatorUrl: string;
  readonly facilitatorAuth: FacilitatorAuth;
  /** Own view of the chain: settlements are proven there where it is given. */
  readonly rpcUrl: string | undefined;
}

/** Payments are settled in this process on a chain of the machine itself. */
export interface SandboxConfig extends Common {
  readonly mode: 'sandbox';
  readonly seller: Seller;
  readonly rpcUrl: string;
  readonly facilitatorKey: `0x${string}`;
}

/** Nothing is charged; only on a loopback address. */
export interface OffConfig extends Common {
  readonly mode: 'off';
}

export type PaymentConfig = RemoteConfig | SandboxConfig | OffConfig;

export type ParsedPaymentConfig =
  | { readonly ok: true; readonly value: PaymentConfig }
  | { readonly ok: false; readonly errors: readonly string[] };

/** The variables that are read, by name. */
export type PaymentEnvironment = Readonly<Record<string, string | undefined>>;

/** True where only the machine itself can connect. */
export function isLoopbackHost(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '').toLowerCase();
  return plain === 'localhost' || plain === '::1' || /^127(?:\.\d{1,3}){3}$/.test(plain);
}

/**
 * The payment configuration from environment variables. All faults are returned at once, each naming its variable;
 * no value of a secret is repeated.
 *
 * @param env PAYMENTS_MODE (remote, sandbox, off), PAY_TO_ADDRESS, ASSET_CONTRACT_ADDRESS, ASSET_NAME,
 *   ASSET_VERSION, PAYMENT_NETWORK, BASE_URL, SERVICE_NAME, FACILITATOR_URL, FACILITATOR_TOKEN, CDP_API_KEY_ID,
 *   CDP_API_KEY_SECRET, RPC_URL, FACILITATOR_PRIVATE_KEY, LEDGER_PATH
 * @param bindHost the address the service listens on
 */
export function parsePaymentConfig(env: PaymentEnvironment, bindHost: string): ParsedPaymentConfig {
  const errors: string[] = [];
  const mode = readMode(env, errors);
  const common: Common = {
    ledgerPath: setting(env, 'LEDGER_PATH') ?? 'var/ledger',
    baseUrl: readUrl(env, 'BASE_URL', errors, true) ?? '',
    serviceName: readServiceName(env, errors),
  };
  if (mode !== 'remote' && mode !== undefined && !isLoopbackHost(bindHost)) {
    errors.push(`PAYMENTS_MODE=${mode} needs a loopback listening address, not ${bindHost}`);
  }
  let config: PaymentConfig | undefined;
  if (mode === 'off') config = { ...common, mode };
  else if (mode === 'remote') config = readRemote(env, common, errors);
  else if (mode === 'sandbox') config = readSandbox(env, common, errors);
  return config === undefined || errors.length > 0 ? { ok: false, errors } : { ok: true, value: config };
}

function setting(env: PaymentEnvironment, name: string): string | undefined {
  const text = env[name]?.trim();
  return text === undefined || text === '' ? undefined : text;
}

function readMode(env: PaymentEnvironment, errors: string[]): PaymentMode | undefined {
  const mode = setting(env, 'PAYMENTS_MODE') ?? 'remote';
  if (mode === 'remote' || mode === 'sandbox' || mode === 'off') return mode;
  errors.push('PAYMENTS_MODE must be remote, sandbox or off');
  return undefined;
}

function readRemote(env: PaymentEnvironment, common: Common, errors: string[]): RemoteConfig {
  return {
    ...common,
    mode: 'remote',
    seller: readSeller(env, common, errors),
    facilitatorUrl: readUrl(env, 'FACILITATOR_URL', errors, true) ?? '',
    facilitatorAuth: readAuth(env, errors),
    rpcUrl: readUrl(env, 'RPC_URL', errors, false),
  };
}

function readSandbox(env: PaymentEnvironment, common: Common, errors: string[]): SandboxConfig {
  const rpcUrl = readUrl(env, 'RPC_URL', errors, true) ?? '';
  if (rpcUrl !== '' && !isLoopbackHost(new URL(rpcUrl).hostname)) {
    errors.push(
      'RPC_URL must be on this machine in the sandbox: its payments would be valid on the real chain',
    );
  }
  const key = setting(env, 'FACILITATOR_PRIVATE_KEY') ?? '';
  if (!isPrivateKey(key)) errors.push('FACILITATOR_PRIVATE_KEY must be 0x and 64 hex digits');
  return {
    ...common,
    mode: 'sandbox',
    seller: readSeller(env, common, errors),
    rpcUrl,
    facilitatorKey: isPrivateKey(key) ? key : '0x',
  };
}

function isPrivateKey(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}

function readSeller(env: PaymentEnvironment, common: Common, errors: string[]): Seller {
  const network = readNetwork(env, errors);
  const asset = setting(env, 'ASSET_CONTRACT_ADDRESS') ?? network.asset;
  const payTo = setting(env, 'PAY_TO_ADDRESS') ?? '';
  requireAddress('ASSET_CONTRACT_ADDRESS', asset, errors);
  requireAddress('PAY_TO_ADDRESS', payTo, errors);
  if (isAddress(payTo) && isAddress(asset) && sameAddress(payTo, asset)) {
    errors.push('PAY_TO_ADDRESS is the token contract itself');
  }
  const known = sameAddress(asset, network.asset);
  const name = setting(env, 'ASSET_NAME') ?? (known ? network.assetName : undefined);
  const version = setting(env, 'ASSET_VERSION') ?? (known ? network.assetVersion : undefined);
  if (name === undefined)
    errors.push('ASSET_NAME (EIP-712 domain name) is needed for a token that is not USDC');
  if (version === undefined)
    errors.push('ASSET_VERSION (EIP-712 domain version) is needed for a token that is not USDC');
  return {
    network,
    asset,
    assetName: name ?? '',
    assetVersion: version ?? '',
    payTo,
    baseUrl: common.baseUrl,
    serviceName: common.serviceName,
    iconUrl: `${common.baseUrl}/icon.png`,
  };
}

function readNetwork(env: PaymentEnvironment, errors: string[]): PaymentNetwork {
  const id = setting(env, 'PAYMENT_NETWORK') ?? BASE;
  const network = Object.hasOwn(NETWORKS, id) ? NETWORKS[id] : undefined;
  if (network !== undefined) return network;
  errors.push(`PAYMENT_NETWORK must be one of ${Object.keys(NETWORKS).join(', ')}`);
  return { id, v1Name: id, chainId: 0, asset: '', assetName: '', assetVersion: '' };
}

function requireAddress(name: string, text: string, errors: string[]): void {
  if (!isAddress(text)) errors.push(`${name} must be an address (0x and 40 hex digits)`);
  else if (!isChecksumAddress(text))
    errors.push(`${name} does not pass its checksum (EIP-55): check every digit`);
  else if (/^0x0{40}$/.test(text)) errors.push(`${name} is the zero address`);
}

function readServiceName(env: PaymentEnvironment, errors: string[]): string {
  const name = setting(env, 'SERVICE_NAME') ?? 'Perpmeter';
  if (!/^[\x20-\x7e]{1,32}$/.test(name))
    errors.push('SERVICE_NAME must be 1 to 32 printable ASCII characters');
  return name;
}

function readAuth(env: PaymentEnvironment, errors: string[]): FacilitatorAuth {
  const token = setting(env, 'FACILITATOR_TOKEN');
  const keyId = setting(env, 'CDP_API_KEY_ID');
  const keySecret = setting(env, 'CDP_API_KEY_SECRET');
  if ((keyId === undefined) !== (keySecret === undefined)) {
    errors.push('CDP_API_KEY_ID and CDP_API_KEY_SECRET belong together');
  }
  if (token !== undefined && keyId !== undefined) {
    errors.push('FACILITATOR_TOKEN and CDP_API_KEY_ID exclude each other');
  }
  if (keySecret !== undefined && createCdpSigner('', keySecret) === undefined) {
    errors.push('CDP_API_KEY_SECRET is neither an Ed25519 key in base64 nor an ECDSA P-256 key in PEM');
  }
  if (keyId !== undefined && keySecret !== undefined) return { kind: 'cdp', keyId, keySecret };
  return token === undefined ? { kind: 'none' } : { kind: 'bearer', token };
}

/** An absolute http(s) address without credentials, query and fragment; https unless on this machine. */
function readUrl(
  env: PaymentEnvironment,
  name: string,
  errors: string[],
  required: boolean,
): string | undefined {
  const text = setting(env, name);
  if (text === undefined) {
    if (required) errors.push(`${name} is required: an absolute https address`);
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    errors.push(`${name} must be an absolute http(s) address`);
    return undefined;
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    errors.push(`${name} must be https unless it is on this machine`);
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    errors.push(`${name} must not carry credentials or a fragment`);
  }
  // RPC providers put their key into path or query; a base address or a facilitator has neither.
  if (name !== 'RPC_URL' && url.search !== '') errors.push(`${name} must not carry a query`);
  return text.replace(/\/+$/, '');
}
