// Signs the payment that a challenge wants. Arguments: the buyer's key, and the header PAYMENT-REQUIRED; prints the header
// PAYMENT-SIGNATURE.
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const [key = '', challenge = ''] = process.argv.slice(2);
const wallet = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(key)));
const payload = await wallet.createPaymentPayload(decodePaymentRequiredHeader(challenge));
console.log(encodePaymentSignatureHeader(payload));
