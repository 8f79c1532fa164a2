import { bazaarExtension } from './bazaar.ts';
import type { SettlementRequest } from './facilitator.ts';
import type { PaymentRecord } from './record.ts';
import { coreRequirement, MIME_TYPE } from './requirement.ts';
import type { Seller } from './seller.ts';
import type { ProtectedRoute } from './types.ts';

/** What the facilitator gets of a payment: our own terms, and the authorization as it was signed. */
export function settlementRequest(
  seller: Seller,
  route: ProtectedRoute,
  record: Pick<PaymentRecord, 'path' | 'amount' | 'authorization' | 'signature'>,
): SettlementRequest {
  return {
    requirement: coreRequirement(seller, BigInt(record.amount)),
    authorization: record.authorization,
    signature: record.signature,
    resource: {
      url: seller.baseUrl + record.path,
      description: route.description,
      mimeType: MIME_TYPE,
      serviceName: seller.serviceName,
      tags: route.tags,
      iconUrl: seller.iconUrl,
    },
    bazaar: bazaarExtension(route),
  };
}
