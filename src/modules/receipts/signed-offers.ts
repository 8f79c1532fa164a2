import type { Clock } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import type { PriceSchedule } from '../../pay/prices.ts';
import { offersOfV1, type SchemeOffer } from '../../pay/scheme.ts';
import { MAX_TIMEOUT_SECONDS, type Seller } from '../../pay/seller.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { signJws } from './jws.ts';
import { signerOf } from './key-document.ts';
import type { KeyRing } from './signing-keys.ts';

const OFFER_VERSION = 1;
/**
 * Addresses that get an offer in one minute: a client that asks for thousands of symbols must not keep the
 * signer busy.
 */
const MAX_OFFERS = 1_000;

/** As the extension wants it beside what it describes (specs/extensions/extension-offer-and-receipt.md, 6.4). */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    offers: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          format: { type: 'string', const: 'jws' },
          acceptIndex: { type: 'integer' },
          signature: { type: 'string' },
        },
        required: ['format', 'signature'],
      },
    },
  },
  required: ['offers'],
} as const;

export interface OfferOptions {
  readonly keys: KeyRing;
  readonly seller: Seller;
  readonly prices: PriceSchedule;
  readonly schemes: readonly SchemeOffer[];
  readonly clock: Clock;
}

/** Signs what is asked for an address: the offers of the x402 extension `offer-receipt`, each once a minute. */
export class SignedOffers {
  readonly #options: OfferOptions;
  readonly #signer: string;
  readonly #texts = new Map<string, string>();
  #minute = 0;

  constructor(options: OfferOptions) {
    this.#options = options;
    this.#signer = signerOf(options.seller.baseUrl);
  }

  /** Changes with every minute: what was signed before is not to be shown any more. */
  get minute(): number {
    const minute = Math.floor(this.#options.clock.now() / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#texts.clear();
    }
    return minute;
  }

  /** The extension of a challenge as JSON text; undefined where the minute has too many of them, or no key. */
  extension(routeId: string, path: string, amount: bigint): string | undefined {
    const minute = this.minute;
    const name = `${path} ${amount}`;
    const known = this.#texts.get(name);
    if (known !== undefined || this.#texts.size >= MAX_OFFERS) return known;
    const offers = this.#offers(routeId, path, amount, minute * MINUTE_MS);
    if (offers === undefined) return undefined;
    const made = JSON.stringify({ 'offer-receipt': { info: { offers }, schema: SCHEMA } });
    this.#texts.set(name, made);
    return made;
  }

  /**
   * One for each way of paying. The body, which has those of the first generation alone, is what their numbers count; the
   * others are found by their terms. Good for as long as the price is surely taken: two minutes, or one where it is about to
   * change.
   */
  #offers(routeId: string, path: string, amount: bigint, minute: number): readonly object[] | undefined {
    const { keys, seller, prices, schemes, clock } = this.#options;
    const key = keys.at(clock.now());
    if (key === undefined) return undefined;
    const grace = MAX_TIMEOUT_SECONDS * 1000;
    const end = minute + 2 * MINUTE_MS;
    const isKept = prices.acceptedAt(routeId, asMs(end), grace).includes(amount);
    const about = { version: OFFER_VERSION, resourceUrl: seller.baseUrl + path };
    const validUntil = (isKept ? end : minute + grace) / 1000;
    const ofV1 = offersOfV1(schemes);
    return schemes.map((offered) => {
      const { scheme, network, asset, payTo, amount: price } = offered.terms(amount);
      const payload = { ...about, scheme, network, asset, payTo, amount: price, validUntil };
      const signature = signJws(payload, { keyId: `${this.#signer}#${key.id}` }, key.secret);
      const acceptIndex = ofV1.indexOf(offered);
      return acceptIndex < 0 ? { format: 'jws', signature } : { format: 'jws', acceptIndex, signature };
    });
  }
}
