import { isAddress, sameAddress } from './address.ts';
import type { FieldReader } from './config-fields.ts';
import { BASE, NETWORKS, type PaymentNetwork } from './networks.ts';
import type { Seller } from './seller.ts';

/** Who sells, for what token, under which address. */
export function readSeller(
  fields: FieldReader,
  { baseUrl, serviceName }: Pick<Seller, 'baseUrl' | 'serviceName'>,
): Seller {
  const network = readNetwork(fields);
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

function readNetwork(fields: FieldReader): PaymentNetwork {
  const id = fields.text('PAYMENT_NETWORK') ?? BASE;
  const network = Object.hasOwn(NETWORKS, id) ? NETWORKS[id] : undefined;
  if (network !== undefined) return network;
  fields.fault(`PAYMENT_NETWORK must be one of ${Object.keys(NETWORKS).join(', ')}`);
  return { id, v1Name: id, chainId: 0, asset: '', assetName: '', assetVersion: '' };
}
