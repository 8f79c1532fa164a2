import type { DiscoveryPart } from '../../api/documents/discovery-part.ts';
import { text } from '../../products/answer/schema.ts';
import { KEY_DOCUMENT_PATH } from './key-document.ts';

/** The address of the published keys in the discovery document. */
export const keysAddress: DiscoveryPart = {
  after: 'changelog',
  fields: { receiptKeys: text('Address of the keys that sign offers and receipts') },
  read: ({ service }) => ({ receiptKeys: service.baseUrl + KEY_DOCUMENT_PATH }),
};
