import { asMs } from '../../../domain/units.ts';
import type { SchemeFormat } from '../../scheme.ts';
import { expiryOf } from '../authorization-window.ts';
import { CHANNEL_ACCOUNTS } from './account-format.ts';
import type { ChannelPayment, Deposit } from './channel.ts';
import { SCHEME_NAME } from './terms.ts';

/** Rows of sales by channel. Payer and nonce follow from what was signed; the price stands beside it. */
export const CHANNEL_FORMAT: SchemeFormat<ChannelPayment> = {
  name: SCHEME_NAME,
  number: 2,
  textCount: 16,
  toTexts: ({ amount, signed: { config, voucher, deposit } }) => [
    amount,
    config.payer,
    config.payerAuthorizer,
    config.receiver,
    config.receiverAuthorizer,
    config.token,
    String(config.withdrawDelay),
    config.salt,
    voucher.channelId,
    voucher.total,
    voucher.signature,
    ...(deposit === undefined ? NO_DEPOSIT : depositTexts(deposit)),
  ],
  fromTexts(texts) {
    const signed = signedOf(texts.slice(1));
    return { payer: signed.config.payer, nonce: nonceOf(signed), amount: texts[0] ?? '', signed };
  },
  toMembers: (signed) => ({ channel: signed }),
  fromMembers: ({ channel }) => {
    const { config, voucher, deposit } = channel as ChannelPayment;
    return { config, voucher, deposit };
  },
  // A voucher moves nothing, so that there is nothing to wait for.
  overAt: ({ deposit }) => (deposit === undefined ? asMs(0) : expiryOf(deposit)),
  accounts: CHANNEL_ACCOUNTS,
};

/**
 * Tells a payment from all others of its payer. A total is charged once in the life of a channel, since what is charged only
 * grows. A second deposit for a total whose first one came to nothing is another payment.
 */
export function nonceOf({ voucher: { channelId, total }, deposit }: ChannelPayment): string {
  const nonce = `${channelId}:${total}`;
  return deposit === undefined ? nonce : `${nonce}:${deposit.salt}`;
}

const NO_DEPOSIT = ['', '', '', '', ''] as const;

const depositTexts = ({ amount, validAfter, validBefore, salt, signature }: Deposit): readonly string[] => [
  amount,
  validAfter,
  validBefore,
  salt,
  signature,
];

function signedOf([
  payer = '',
  payerAuthorizer = '',
  receiver = '',
  receiverAuthorizer = '',
  token = '',
  delay = '',
  salt = '',
  channelId = '',
  total = '',
  signature = '',
  ...deposit
]: readonly string[]): ChannelPayment {
  const withdrawDelay = Number(delay);
  const config = { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt };
  return { config, voucher: { channelId, total, signature }, deposit: depositOf(deposit) };
}

function depositOf([
  amount = '',
  validAfter = '',
  validBefore = '',
  salt = '',
  signature = '',
]: readonly string[]): Deposit | undefined {
  return amount === '' ? undefined : { amount, validAfter, validBefore, salt, signature };
}
