import { hash } from 'node:crypto';
import { isWire, readText, type Wire } from '../../src/domain/read.ts';
import { asMs } from '../../src/domain/units.ts';
import { isAddress } from '../../src/pay/address.ts';
import { requirementOf } from '../../src/pay/requirement.ts';
import type { Scheme, SchemeFormat } from '../../src/pay/scheme.ts';
import type { Seller } from '../../src/pay/seller.ts';

/** A promise to pay: nothing of it is an authorization, and nobody is asked about it. */
export interface Promised {
  readonly payer: string;
  readonly amount: string;
  /** Unix seconds. */
  readonly until: string;
  readonly seal: string;
}

const SECRET = 'of the house';

const sealOf = ({ payer, amount, until }: Omit<Promised, 'seal'>): string =>
  hash('sha256', `${payer}|${amount}|${until}|${SECRET}`);

/** The payload of a guest of the house. */
export function promise(payer: string, amount: string, until: number): Promised {
  const about = { payer: payer.toLowerCase(), amount, until: String(until) };
  return { ...about, seal: sealOf(about) };
}

/** Rows of two texts beside payer and amount. */
export const TAB_FORMAT: SchemeFormat<Promised> = {
  name: 'tab',
  number: 99,
  textCount: 4,
  toTexts: ({ signed: { payer, amount, until, seal } }) => [payer, amount, until, seal],
  fromTexts([payer = '', amount = '', until = '', seal = '']) {
    return { payer, nonce: `tab:${seal}`, amount, signed: { payer, amount, until, seal } };
  },
  toMembers: ({ until, seal }) => ({ until, seal }),
  fromMembers: ({ payer, amount, until, seal }) => ({ payer, amount, until, seal }) as Promised,
  overAt: ({ until }) => asMs(Number(until) * 1000),
};

function read(payload: Wire) {
  const seal = readText(payload.seal);
  const { payer, amount, until } = payload;
  const isWhole = isAddress(payer) && typeof amount === 'string' && typeof until === 'string';
  if (seal === undefined || !isWhole || !/^\d+$/.test(amount) || !/^\d+$/.test(until)) return undefined;
  const signed = { payer: payer.toLowerCase(), amount, until, seal };
  return { payer: signed.payer, nonce: `tab:${seal}`, signed };
}

/** A scheme of tests alone: a seal of the house is as good as money, so that settling needs no chain. */
export interface TabScheme extends Scheme<Promised> {
  /** Nonces of payments that were settled, in order. */
  readonly settled: string[];
}

/** The scheme of a seller. */
export function tabScheme(seller: Seller): TabScheme {
  const settled: string[] = [];
  return {
    name: TAB_FORMAT.name,
    seller,
    isOfV1: false,
    words: () => 'Promise to pay.',
    reasons: { tab_is_closed: 'payment_refused' },
    terms: (amount) => requirementOf(seller, amount, TAB_FORMAT.name, { house: seller.serviceName }),
    format: TAB_FORMAT,
    settled,
    read: (payload) => (isWire(payload) ? read(payload) : undefined),
    isSame: (a, b) =>
      a.seal === b.seal && a.payer === b.payer && a.amount === b.amount && a.until === b.until,
    priceOf: ({ signed }, amounts) =>
      amounts.includes(BigInt(signed.amount)) ? BigInt(signed.amount) : 'invalid_amount',
    timeFault: ({ until }, now) => (Number(until) * 1000 < now ? 'authorization_expired' : undefined),
    match: (signed) => (signed.seal === sealOf(signed) ? 'match' : 'mismatch'),
    signatureFault: async () => 'invalid_signature',
    settlement: {
      proof: 'facilitator',
      ok: true,
      verify: async () => ({ kind: 'valid', by: 'the house', others: [] }),
      async ask({ nonce }) {
        settled.push(nonce);
        return { kind: 'settled', transaction: hash('sha256', nonce) };
      },
      judge: async (_record, outcome) =>
        outcome.kind === 'settled'
          ? { ...outcome, proof: 'facilitator' }
          : { kind: 'unclear', reason: 'unproven', transaction: undefined },
      examine: async ({ nonce }) => ({
        kind: 'settled',
        transaction: hash('sha256', nonce),
        proof: 'facilitator',
      }),
      states: () => [{ name: 'the house', ok: true, resting: false }],
      costs: () => ({ transactions: 0, read: 0, wei: 0n }),
      probe: async () => {},
      stop: () => {},
    },
  };
}
