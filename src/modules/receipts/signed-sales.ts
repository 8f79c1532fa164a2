import type { OpenSale, SaleReceipts, ShownReceipts } from '../../pay/sale.ts';
import { ANSWER_RECEIPT } from './answer-receipt.ts';
import { ReceiptIssuer, type ReceiptIssuerOptions } from './sale-receipts.ts';
import { type OfferOptions, SignedOffers } from './signed-offers.ts';

/** A seam that counts what it has issued. */
export interface SignedSales extends OpenSale {
  /** Sales for which receipts were signed, since the start of the process. */
  readonly issued: number;
}

/** As small as a schema of it can be: it travels in a header. */
const RECEIPT_SCHEMA = { type: 'object', required: ['receipt'] } as const;

/** In the first header alone, which is where clients look first: proxies hold all headers in four KiB. */
function show({ official, answer }: SaleReceipts): ShownReceipts {
  const receipt = { format: 'jws', signature: official };
  return {
    extensions: { 'offer-receipt': { info: { receipt }, schema: RECEIPT_SCHEMA } },
    headers: { [ANSWER_RECEIPT.toLowerCase()]: answer },
  };
}

/** Signs offers and receipts with the seller's keys. */
export function signSales(options: OfferOptions & Omit<ReceiptIssuerOptions, 'baseUrl'>): SignedSales {
  const offers = new SignedOffers(options);
  const issuer = new ReceiptIssuer({ ...options, baseUrl: options.seller.baseUrl });
  return {
    get minute() {
      return offers.minute;
    },
    get issued() {
      return issuer.issued;
    },
    extension: (routeId, path, amount) => offers.extension(routeId, path, amount),
    issue: (sale, answer) => issuer.issue(sale, answer),
    show,
  };
}
