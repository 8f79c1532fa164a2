import { isAddress, sameAddress } from './address.ts';
import { type ChannelsConfig, readChannels } from './config-channels.ts';
import { type CostsConfig, readCosts } from './config-costs.ts';
import { type RemoteEndpoint, readFacilitators } from './config-facilitators.ts';
import { FieldReader, isLoopbackHost, type PaymentEnvironment } from './config-fields.ts';
import { readNetworks } from './config-networks.ts';
import type { PaymentNetwork } from './networks.ts';
import type { Seller } from './seller.ts';

const MODES = ['remote', 'self', 'sandbox', 'off'] as const;
type PaymentMode = (typeof MODES)[number];

interface Common {
  readonly ledgerPath: string;
  readonly baseUrl: string;
  readonly serviceName: string;
}

interface Selling extends Common, CostsConfig {
  readonly seller: Seller;
  /** Undefined: nothing is sold by channel. */
  readonly channels?: ChannelsConfig | undefined;
  /** The same of further networks, in the order in which they are offered. */
  readonly others?: readonly ChargingConfig[];
}

/** Payments are settled by somebody else's facilitator. */
export interface RemoteConfig extends Selling {
  readonly mode: 'remote';
  /** In order of preference. */
  readonly facilitators: readonly [RemoteEndpoint, ...RemoteEndpoint[]];
  readonly verifyTimeoutMs: number;
  readonly settleTimeoutMs: number;
  /** Own view of the chain: settlements are proven there where it is given. */
  readonly rpcUrl: string | undefined;
}

/** Payments are settled in this process, through the operator's node and with the operator's key. */
export interface SelfConfig extends Selling {
  readonly mode: 'self';
  readonly rpcUrl: string;
  readonly facilitatorKey: `0x${string}`;
}

/** Payments are settled in this process on a chain of the machine itself. */
export interface SandboxConfig extends Selling {
  readonly mode: 'sandbox';
  readonly rpcUrl: string;
  readonly facilitatorKey: `0x${string}`;
}

/** Nothing is charged; only on a loopback address. */
export interface OffConfig extends Common {
  readonly mode: 'off';
}

/** The configuration of a service that charges: of the network that is offered first. */
export type ChargingConfig = RemoteConfig | SelfConfig | SandboxConfig;
export type PaymentConfig = ChargingConfig | OffConfig;

/** The configuration of each network, in the order in which they are offered. */
export const everyNetwork = <Config extends { readonly others?: readonly Config[] }>(
  config: Config,
): readonly Config[] => [config, ...(config.others ?? [])];

export type ParsedPaymentConfig =
  | { readonly ok: true; readonly value: PaymentConfig }
  | { readonly ok: false; readonly errors: readonly string[] };

/**
 * The payment configuration from environment variables. All faults are returned at once, each naming its variable;
 * no value of a secret is repeated.
 *
 * @param env PAYMENTS_MODE (remote, self, sandbox, off; without it remote where there is a receiver, else off),
 *   PAY_TO_ADDRESS, ASSET_CONTRACT_ADDRESS, ASSET_NAME, ASSET_VERSION, PAYMENT_NETWORK, BASE_URL, SERVICE_NAME,
 *   FACILITATOR_URL, FACILITATOR_TOKEN, FACILITATOR_FEE_USD, COIN_PRICES_USD, FACILITATOR_VERIFY_TIMEOUT_MS,
 *   FACILITATOR_SETTLE_TIMEOUT_MS, CDP_API_KEY_ID, CDP_API_KEY_SECRET, RPC_URL, FACILITATOR_PRIVATE_KEY,
 *   CHANNEL_AUTHORIZER_KEY, CHANNEL_WITHDRAW_DELAY_SECONDS, LEDGER_PATH
 * @param bindHost the address the service listens on
 * @param local address of the service in the modes sandbox and off where BASE_URL is not set; it is taken as it is
 */
export function parsePaymentConfig(
  env: PaymentEnvironment,
  bindHost: string,
  local?: string,
): ParsedPaymentConfig {
  const fields = new FieldReader(env);
  const mode = readMode(fields);
  const isLocal = mode === 'sandbox' || mode === 'off';
  const fallbackUrl = isLocal ? local : undefined;
  const ledgerPath = fields.text('LEDGER_PATH') ?? 'var/ledger';
  const common: Common = {
    ledgerPath,
    baseUrl: fields.url('BASE_URL', { required: fallbackUrl === undefined }) ?? fallbackUrl ?? '',
    serviceName: readServiceName(fields),
  };
  if (isLocal && !isLoopbackHost(bindHost)) {
    const isSaid = fields.text('PAYMENTS_MODE') !== undefined;
    fields.fault(
      isSaid
        ? `PAYMENTS_MODE=${mode} needs a loopback listening address, not ${bindHost}`
        : `nothing is sold without PAY_TO_ADDRESS, and what is free is served on loopback only: set PAY_TO_ADDRESS, BASE_URL and FACILITATOR_URL, or listen on 127.0.0.1 (not ${bindHost})`,
    );
  }
  const config = mode === 'off' ? { ...common, mode } : mode && readCharging(mode, env, fields, common);
  const { errors } = fields;
  return config === undefined || errors.length > 0 ? { ok: false, errors } : { ok: true, value: config };
}

type ReadMode = (fields: FieldReader, common: Common, network: PaymentNetwork) => ChargingConfig | undefined;

const readers: Readonly<Record<Exclude<PaymentMode, 'off'>, ReadMode>> = {
  remote: readRemote,
  self: readSelf,
  sandbox: readSandbox,
};

/** Reads each network by its own variables. A fault of a further network names it. */
function readCharging(
  mode: keyof typeof readers,
  env: PaymentEnvironment,
  fields: FieldReader,
  common: Common,
): ChargingConfig | undefined {
  const configs = readNetworks(env, fields).map(({ network, fields: own }, i) => {
    const config = readers[mode](own, common, network);
    const faults = own.errors.filter((fault) => !fields.errors.includes(fault));
    for (const fault of faults) fields.fault(i === 0 ? fault : `${fault} (${network.id})`);
    return config;
  });
  const [first, ...others] = configs.filter((config) => config !== undefined);
  return first && (others.length === 0 ? first : { ...first, others });
}

function readMode(fields: FieldReader): PaymentMode | undefined {
  const text =
    fields.text('PAYMENTS_MODE') ?? (fields.text('PAY_TO_ADDRESS') === undefined ? 'off' : 'remote');
  const mode = MODES.find((known) => known === text);
  if (mode === undefined) fields.fault(`PAYMENTS_MODE must be one of ${MODES.join(', ')}`);
  return mode;
}

function readSelling(fields: FieldReader, common: Common, network: PaymentNetwork): Selling {
  return {
    ...common,
    seller: readSeller(fields, common, network),
    ...readCosts(fields),
    channels: readChannels(fields, channelObstacle(fields)),
  };
}

/** The reason for which nothing can be sold by channel. */
function channelObstacle(fields: FieldReader): string | undefined {
  return fields.text('RPC_URL') === undefined ? 'need RPC_URL, to see them on the chain' : undefined;
}

function readRemote(fields: FieldReader, common: Common, network: PaymentNetwork): RemoteConfig | undefined {
  const selling = readSelling(fields, common, network);
  const [first, ...others] = readFacilitators(fields);
  const rest = {
    verifyTimeoutMs: fields.integer('FACILITATOR_VERIFY_TIMEOUT_MS', 5_000, 50, 10_000),
    settleTimeoutMs: fields.integer('FACILITATOR_SETTLE_TIMEOUT_MS', 20_000, 50, 25_000),
    rpcUrl: fields.url('RPC_URL', { required: false, query: true }),
  };
  if (first === undefined) return undefined;
  return { ...selling, ...rest, mode: 'remote', facilitators: [first, ...others] };
}

function readSelf(fields: FieldReader, common: Common, network: PaymentNetwork): SelfConfig {
  return {
    ...readSelling(fields, common, network),
    mode: 'self',
    // RPC providers put their key into path or query.
    rpcUrl: fields.url('RPC_URL', { required: true, query: true }) ?? '',
    facilitatorKey: fields.privateKey('FACILITATOR_PRIVATE_KEY'),
  };
}

function readSandbox(fields: FieldReader, common: Common, network: PaymentNetwork): SandboxConfig {
  const rpcUrl = fields.url('RPC_URL', { required: true, query: true }) ?? '';
  if (rpcUrl !== '' && !isLoopbackHost(new URL(rpcUrl).hostname)) {
    fields.fault(
      'RPC_URL must be on this machine in the sandbox: its payments would be valid on the real chain',
    );
  }
  return {
    ...readSelling(fields, common, network),
    mode: 'sandbox',
    rpcUrl,
    facilitatorKey: fields.privateKey('FACILITATOR_PRIVATE_KEY'),
  };
}

function readServiceName(fields: FieldReader): string {
  const name = fields.text('SERVICE_NAME') ?? 'Perpmeter';
  if (!/^[\x20-\x7e]{1,32}$/.test(name))
    fields.fault('SERVICE_NAME must be 1 to 32 printable ASCII characters');
  return name;
}

/** Reads the seller, the token and the receiving address. */
function readSeller(
  fields: FieldReader,
  { baseUrl, serviceName }: Pick<Seller, 'baseUrl' | 'serviceName'>,
  network: PaymentNetwork,
): Seller {
  const asset = fields.address('ASSET_CONTRACT_ADDRESS', network.asset);
  const payTo = fields.address('PAY_TO_ADDRESS', '');
  if (isAddress(payTo) && isAddress(asset) && sameAddress(payTo, asset)) {
    fields.fault('PAY_TO_ADDRESS is the token contract itself');
  }
  const known = sameAddress(asset, network.asset);
  const name = fields.text('ASSET_NAME') ?? (known ? network.assetName : undefined);
  const version = fields.text('ASSET_VERSION') ?? (known ? network.assetVersion : undefined);
  if (name === undefined)
    fields.fault('ASSET_NAME (EIP-712 domain name) is needed for a token that is not USDC');
  if (version === undefined)
    fields.fault('ASSET_VERSION (EIP-712 domain version) is needed for a token that is not USDC');
  const assetName = name ?? '';
  const assetVersion = version ?? '';
  const iconUrl = `${baseUrl}/icon.png`;
  return { network, asset, assetName, assetVersion, payTo, baseUrl, serviceName, iconUrl };
}
