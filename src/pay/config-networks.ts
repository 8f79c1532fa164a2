import { FieldReader, type PaymentEnvironment } from './config-fields.ts';
import { BASE, NETWORKS, type PaymentNetwork } from './networks.ts';

/** Variables with a value for each network: one without a network's name holds for all of them, or for the first alone. */
const BY_NETWORK: Readonly<Record<string, 'all' | 'first'>> = {
  PAY_TO_ADDRESS: 'all',
  FACILITATOR_URL: 'all',
  FACILITATOR_TOKEN: 'all',
  CHANNEL_AUTHORIZER_KEY: 'all',
  RPC_URL: 'first',
  ASSET_CONTRACT_ADDRESS: 'first',
  ASSET_NAME: 'first',
  ASSET_VERSION: 'first',
};

/** Between the values of networks; an address may have commas of its own. */
const SEPARATOR = /,(?=eip155:\d+=)/;
const NAMED = /^(eip155:\d+)=(.*)$/s;

/** A network on which payments are taken, with its variables. */
export interface NetworkFields {
  readonly network: PaymentNetwork;
  readonly fields: FieldReader;
}

/** Values of a variable: the one without a name, and those of networks by CAIP-2 name. */
interface Values {
  readonly plain: string | undefined;
  readonly named: ReadonlyMap<string, string>;
}

/** Reads `https://first,eip155:137=https://second`. */
function valuesOf(text: string | undefined): Values {
  const named = new Map<string, string>();
  let plain: string | undefined;
  for (const part of text?.trim().split(SEPARATOR) ?? []) {
    const [, id, value] = NAMED.exec(part.trim()) ?? [];
    if (id === undefined || value === undefined) plain = part;
    else named.set(id, value);
  }
  return { plain, named };
}

/**
 * The value of a variable for a network.
 *
 * @param isShared the value without a name of a network holds for this one
 */
export function valueFor(text: string | undefined, network: string, isShared: boolean): string | undefined {
  const { plain, named } = valuesOf(text);
  return named.get(network) ?? (isShared ? plain : undefined);
}

/** CAIP-2 names in the order in which their networks are offered: as they are, but Base is the first wherever it is among them. */
export const offeredOrder = (names: readonly string[]): readonly string[] => [
  ...names.filter((name) => name === BASE),
  ...names.filter((name) => name !== BASE),
];

/**
 * The networks of PAYMENT_NETWORK, Base where it is not set, each with its own variables. They are offered in this order: as they
 * are set, but Base is the first wherever it is one of them.
 */
export function readNetworks(env: PaymentEnvironment, fields: FieldReader): readonly NetworkFields[] {
  const networks = namedNetworks(fields);
  for (const name of Object.keys(BY_NETWORK)) {
    const named = [...valuesOf(env[name]).named.keys()];
    const strange = named.filter((id) => !networks.some((network) => network.id === id));
    if (strange.length > 0)
      fields.fault(`${name} names ${strange.join(', ')}, which is not in PAYMENT_NETWORK`);
  }
  return networks.map((network, i) => {
    const own = Object.entries(BY_NETWORK).map(([name, reach]) => [
      name,
      valueFor(env[name], network.id, i === 0 || reach === 'all'),
    ]);
    const more = i === 0 ? {} : withheld(network, env);
    return { network, fields: new FieldReader({ ...env, ...Object.fromEntries(own), ...more }) };
  });
}

function namedNetworks(fields: FieldReader): readonly PaymentNetwork[] {
  const names = fields.text('PAYMENT_NETWORK') === undefined ? [BASE] : fields.list('PAYMENT_NETWORK');
  const networks = offeredOrder(names).flatMap((name) =>
    Object.hasOwn(NETWORKS, name) ? (NETWORKS[name] ?? []) : [],
  );
  if (networks.length < names.length)
    fields.fault(`PAYMENT_NETWORK must be of ${Object.keys(NETWORKS).join(', ')}, between commas`);
  if (new Set(networks).size < networks.length) fields.fault('PAYMENT_NETWORK names one network twice');
  // A stand-in where none is right, so that everything else that is wrong is found as well.
  return networks.length > 0 ? networks : Object.values(NETWORKS).slice(0, 1);
}

/**
 * Variables that a further network does not get: Coinbase's key where it has facilitators of its own that are not Coinbase's, and
 * the shared key of channels where it has no node, since those of a network are seen by its node alone.
 */
function withheld({ id }: PaymentNetwork, env: PaymentEnvironment): PaymentEnvironment {
  const ownFacilitators = valueFor(env.FACILITATOR_URL, id, false);
  const isForeign = ownFacilitators !== undefined && !ownFacilitators.includes('.coinbase.com');
  const isUnseen = valueFor(env.RPC_URL, id, false) === undefined;
  return {
    ...(isForeign ? { CDP_API_KEY_ID: undefined, CDP_API_KEY_SECRET: undefined } : {}),
    ...(isUnseen ? { CHANNEL_AUTHORIZER_KEY: valueFor(env.CHANNEL_AUTHORIZER_KEY, id, false) } : {}),
  };
}
