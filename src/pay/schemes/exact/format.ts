import type { SchemeFormat } from '../../scheme.ts';
import { expiryOf } from '../authorization-window.ts';
import type { SignedAuthorization } from './authorization.ts';

/** Rows of `exact` payments. Payer, nonce and amount are those of the authorization, and stand once in a row of texts. */
export const EXACT_FORMAT: SchemeFormat<SignedAuthorization> = {
  name: 'exact',
  number: 1,
  textCount: 7,
  toTexts: ({ signed: { authorization, signature } }) => [
    authorization.from,
    authorization.to,
    authorization.value,
    authorization.validAfter,
    authorization.validBefore,
    authorization.nonce,
    signature,
  ],
  fromTexts([from = '', to = '', value = '', validAfter = '', validBefore = '', nonce = '', signature = '']) {
    const authorization = { from, to, value, validAfter, validBefore, nonce };
    return { payer: from, nonce, amount: value, signed: { signature, authorization } };
  },
  toMembers: ({ authorization, signature }) => ({ authorization, signature }),
  fromMembers: ({ authorization, signature }) => ({ signature, authorization }) as SignedAuthorization,
  overAt: ({ authorization }) => expiryOf(authorization),
};
