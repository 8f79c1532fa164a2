import { createECDH } from 'node:crypto';
import { checksumAddress } from './address.ts';
import type { FieldReader } from './config-fields.ts';
import { addressOf } from './recover.ts';

/** A key that signs claims and refunds of the channels that name it. */
export interface AuthorizerKey {
  readonly privateKey: `0x${string}`;
  /** EIP-55 checksum form. */
  readonly address: string;
}

/** The operator's side of payment channels. */
export interface ChannelsConfig {
  /** New channels name its address. */
  readonly authorizerKey: `0x${string}`;
  /** Its address, EIP-55 checksum form. */
  readonly receiverAuthorizer: string;
  /** Those that channels of before name. */
  readonly formerKeys?: readonly AuthorizerKey[];
  /** Seconds from a buyer's request to withdraw until the money can leave a channel. */
  readonly withdrawDelay: number;
  /** Calls at a price for which a buyer is asked to deposit at once. */
  readonly depositCalls: number;
}

/** A day: long enough to claim after an outage of the service or of its facilitator. */
const DEFAULT_DELAY = 86_400;
/** Ten thousand calls at one price take four deposits. */
const DEFAULT_DEPOSIT_CALLS = 2_500;

/**
 * The key that turns channels on, with its address, and those of before; undefined without one.
 *
 * @param obstacle the reason for which channels cannot be sold with the other settings
 */
export function readChannels(fields: FieldReader, obstacle: string | undefined): ChannelsConfig | undefined {
  if (fields.text('CHANNEL_AUTHORIZER_KEY') === undefined) return undefined;
  if (obstacle !== undefined) fields.fault(`CHANNEL_AUTHORIZER_KEY: channels ${obstacle}`);
  const keys = fields.privateKeys('CHANNEL_AUTHORIZER_KEY').flatMap(keyOf);
  const withdrawDelay = fields.integer('CHANNEL_WITHDRAW_DELAY_SECONDS', DEFAULT_DELAY, 900, 2_592_000);
  const depositCalls = fields.integer('CHANNEL_DEPOSIT_CALLS', DEFAULT_DEPOSIT_CALLS, 1, 100_000);
  const [first, ...formerKeys] = keys;
  if (first === undefined || keys.length < fields.list('CHANNEL_AUTHORIZER_KEY').length) {
    fields.fault('CHANNEL_AUTHORIZER_KEY is no key of the curve');
    return undefined;
  }
  const { privateKey: authorizerKey, address: receiverAuthorizer } = first;
  return { authorizerKey, receiverAuthorizer, formerKeys, withdrawDelay, depositCalls };
}

/** A private key with its address; nothing where it is none of the curve. */
function keyOf(privateKey: `0x${string}`): readonly AuthorizerKey[] {
  const pair = createECDH('secp256k1');
  try {
    pair.setPrivateKey(Buffer.from(privateKey.slice(2), 'hex'));
    return [{ privateKey, address: checksumAddress(addressOf(pair.getPublicKey())) }];
  } catch {
    return [];
  }
}
