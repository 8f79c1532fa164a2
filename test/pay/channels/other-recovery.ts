/** The same payment by voucher with the other recovery id: the key behind it is another one, and no contract takes it. */
export function otherRecovery(headers: Record<string, string>): Record<string, string> {
  const payload = JSON.parse(Buffer.from(headers['PAYMENT-SIGNATURE'] ?? '', 'base64').toString());
  const { voucher } = payload.payload;
  voucher.signature = voucher.signature.slice(0, -2) + (voucher.signature.endsWith('1b') ? '1c' : '1b');
  return { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payload)).toString('base64') };
}
