/** The part of PAYMENT-RESPONSE that tells of a sale by channel. */
export interface SettledByChannel {
  /** Empty where nothing was sent to the chain. */
  readonly transaction: string;
  readonly extra: {
    readonly chargedAmount: string;
    readonly channelState: { readonly chargedCumulativeAmount: string };
  };
}

/** Reads PAYMENT-RESPONSE. Throws where an answer has none. */
export function readSettled({ headers }: Pick<Response, 'headers'>): SettledByChannel {
  const header = headers.get('payment-response');
  if (header === null) throw new Error('an answer without PAYMENT-RESPONSE');
  return JSON.parse(Buffer.from(header, 'base64').toString()) as SettledByChannel;
}
