import type { SoldHeader } from '../../api/documents/sold-header.ts';
import { KEY_DOCUMENT_PATH } from './key-document.ts';

/** Header of the receipt that binds an answer. */
export const ANSWER_RECEIPT = 'Perpmeter-Receipt';

/** The receipt of a sold answer, in documents. */
export const answerReceipt: SoldHeader = {
  name: ANSWER_RECEIPT,
  component: 'AnswerReceipt',
  description: `Signed receipt of the answer: compact JWS with its digests, request, payer, amount and transaction; keys at ${KEY_DOCUMENT_PATH}`,
  words:
    'Every sale has signed receipts in payment-response and perpmeter-receipt; perpmeter verify holds an answer against them offline.',
};
