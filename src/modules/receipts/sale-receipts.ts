import { canonicalJson, sha256 } from '../../domain/canonical-json.ts';
import { iso } from '../../domain/clock.ts';
import { checksumAddress } from '../../pay/address.ts';
import { resourceHash } from '../../pay/payment.ts';
import { type PaymentRecord, pathOf } from '../../pay/record.ts';
import type { SaleReceipts } from '../../pay/sale.ts';
import type { HttpReply } from '../../pay/types.ts';
import { signJws } from './jws.ts';
import { signerOf } from './key-document.ts';
import type { KeyRing } from './signing-keys.ts';

export const RECEIPT_TYPE = 'perpmeter-receipt';
export const RECEIPT_VERSION = 1;
const OFFICIAL_VERSION = 1;
/** Texts of more characters are in a receipt as their hash: it travels in a header, and proxies hold these in 4 KiB. */
const MAX_TEXT_LENGTH = 128;

/** A canonical form takes some 8 us a kilobyte: larger answers are bound by their bytes alone, so that no sale takes a millisecond. */
const LARGEST_JSON = 128 * 1024;

/** The content of a receipt. */
export interface ReceiptPayload {
  readonly version: number;
  readonly issued_at: string;
  /** Method, path and query; where it is long, `sha256:` and its hash. */
  readonly request: string;
  /** Of the answer's bytes before any Content-Encoding, base64url. */
  readonly body_sha256: string;
  /** Of its canonical JSON (RFC 8785); null where it has none (CSV, Parquet) or is larger than 128 KiB. */
  readonly json_sha256: string | null;
  readonly as_of: string | null;
  /** X-Data-Sources: venues with data, after `;` those without; where it is long, `sha256:` and its hash. */
  readonly sources: string | null;
  /** Its version. */
  readonly route_table: string;
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  /** Atomic units of the asset. */
  readonly amount: string;
  readonly transaction: string;
}

/** A text as receipts have it. */
export const bounded = (text: string): string =>
  text.length <= MAX_TEXT_LENGTH ? text : `sha256:${sha256(text)}`;

/** The request of a payment as receipts name it. */
export const requestLine = (resource: string): string => `GET ${resource}`;

interface Digests {
  readonly bytes: string;
  readonly json: string | null;
}

export interface ReceiptIssuerOptions {
  readonly keys: KeyRing;
  /** Address of the service. */
  readonly baseUrl: string;
  readonly routeTable: string;
  /** Told why receipts could not be made. */
  readonly onError?: (cause: unknown) => void;
}

/** Sales that are remembered as counted. */
const MAX_COUNTED = 1_000;

/**
 * Signs receipts of sales, as compact JWS. `official` is that of the x402 extension `offer-receipt`: who paid for what, and
 * when; `answer` is ours: which answer was given for it.
 */
export class ReceiptIssuer {
  readonly #options: ReceiptIssuerOptions;
  readonly #signer: string;
  /** One answer is sold to many. */
  readonly #digests = new WeakMap<HttpReply, Digests>();
  #issued = 0;
  /** Keys of the newest of them: a sale that could not be stored at once is signed again. */
  readonly #counted = new Set<string>();

  constructor(options: ReceiptIssuerOptions) {
    this.#options = options;
    this.#signer = signerOf(options.baseUrl);
  }

  /** Sales for which receipts were made, since the start of the process. */
  get issued(): number {
    return this.#issued;
  }

  /**
   * The receipts of a payment that is settled, for its answer; undefined where no key signs at that time, or they
   * cannot be made. The money has moved: the answer is owed, with or without a receipt.
   */
  issue(sale: PaymentRecord, answer: HttpReply): SaleReceipts | undefined {
    try {
      return this.#issue(sale, answer);
    } catch (cause) {
      this.#options.onError?.(cause);
      return undefined;
    }
  }

  #issue(sale: PaymentRecord, answer: HttpReply): SaleReceipts | undefined {
    const { keys, baseUrl } = this.#options;
    const { settledAt, transaction = '', network } = sale;
    // A sale that an older build began has no query on record: there is no receipt for an unknown request.
    const isKnown = sale.resourceHash === resourceHash('GET', sale.resource);
    const key = settledAt === undefined || !isKnown ? undefined : keys.at(settledAt);
    if (settledAt === undefined || key === undefined) return undefined;
    const keyId = `${this.#signer}#${key.id}`;
    const sign = (payload: unknown, type?: string): string =>
      signJws(payload, { keyId, ...(type !== undefined && { type }) }, key.secret);
    const payer = checksumAddress(sale.payer);
    const resourceUrl = baseUrl + pathOf(sale);
    const issuedAt = Math.floor(settledAt / 1000);
    this.#count(sale);
    return {
      official: sign({ version: OFFICIAL_VERSION, network, resourceUrl, payer, issuedAt, transaction }),
      answer: sign(
        this.#payload(sale, answer, { issued_at: iso(settledAt), payer, transaction }),
        RECEIPT_TYPE,
      ),
    };
  }

  #count({ key }: PaymentRecord): void {
    if (this.#counted.has(key)) return;
    const oldest = this.#counted.size >= MAX_COUNTED ? this.#counted.values().next().value : undefined;
    if (oldest !== undefined) this.#counted.delete(oldest);
    this.#counted.add(key);
    this.#issued++;
  }

  #payload(
    { resource, network, asset, amount }: PaymentRecord,
    answer: HttpReply,
    about: Pick<ReceiptPayload, 'issued_at' | 'payer' | 'transaction'>,
  ): ReceiptPayload {
    const { bytes, json } = this.#digestsOf(answer);
    const sources = answer.headers['x-data-sources'];
    return {
      version: RECEIPT_VERSION,
      ...about,
      request: bounded(requestLine(resource)),
      body_sha256: bytes,
      json_sha256: json,
      as_of: answer.headers['x-data-as-of'] ?? null,
      sources: sources === undefined ? null : bounded(sources),
      route_table: this.#options.routeTable,
      network,
      asset,
      amount,
    };
  }

  #digestsOf(answer: HttpReply): Digests {
    const known = this.#digests.get(answer);
    if (known !== undefined) return known;
    const { headers, body } = answer;
    const isJson = headers['content-type']?.startsWith('application/json') === true;
    const json =
      isJson && body.length <= LARGEST_JSON ? sha256(canonicalJson(JSON.parse(body.toString()))) : null;
    const made = { bytes: sha256(body), json };
    this.#digests.set(answer, made);
    return made;
  }
}
