import {
  atomicOf,
  type Caps,
  type PaymentRecord,
  type PaymentStore,
} from '../../packages/client/src/index.ts';
import { browserChannels } from './channel-store.ts';

/** The visitor's spending limit of this tab, and the spent sum: atomic units of a token with six decimals. */

const CAP = 'perpmeter-cap';
const PAYMENTS = 'perpmeter-payments';
export const FIRST_CAP = '0.05';

/** US dollars as atomic units; undefined where the text is no amount. */
export function capOf(text: string): bigint | undefined {
  try {
    return atomicOf(text);
  } catch {
    return undefined;
  }
}

export const capText = (): string => sessionStorage.getItem(CAP) ?? FIRST_CAP;
export const setCap = (text: string): void => sessionStorage.setItem(CAP, text);

const payments = (): readonly PaymentRecord[] =>
  JSON.parse(sessionStorage.getItem(PAYMENTS) ?? '[]') as readonly PaymentRecord[];

/** The number of payments of this tab. */
export const purchasesOfTab = (): number => payments().filter(({ state }) => state !== 'released').length;

/** Payments of this tab, counted from before they are signed. */
export const tabStore: PaymentStore = {
  channels: browserChannels,
  load: async () => payments(),
  save: async (record) => {
    const others = payments().filter(({ nonce }) => nonce !== record.nonce);
    sessionStorage.setItem(PAYMENTS, JSON.stringify([...others, { ...record, receipt: undefined }]));
  },
};

/** The cap as it stands; nothing where it is no amount. */
const usable = (): string => (capOf(capText()) === undefined ? '0' : capText());
export const tabCaps: Caps = {
  get perCall() {
    return usable();
  },
  get total() {
    return usable();
  },
};

/** The sum of what this tab has signed and not been given back. */
export const spent = (): bigint =>
  payments().reduce((sum, { amount, state }) => (state === 'released' ? sum : sum + BigInt(amount)), 0n);

/** The rest of the limit; zero with a cap that is no amount. */
export function remaining(): bigint {
  const left = (capOf(capText()) ?? 0n) - spent();
  return left > 0n ? left : 0n;
}
