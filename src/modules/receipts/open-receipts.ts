import type { Clock } from '../../domain/clock.ts';
import type { SaleOpener } from '../../pay/sale.ts';
import { type FilledPort, fill } from '../../runtime/port.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { DailyRoots } from './daily-roots.ts';
import { signJws } from './jws.ts';
import { signerOf } from './key-document.ts';
import { RECEIPTS, type Receipts } from './port.ts';
import { type SignedSales, signSales } from './signed-sales.ts';
import { KeyRing } from './signing-keys.ts';

/**
 * Signs offers and sales with the keys of a file, which is made where it is missing.
 *
 * @returns what opens it; it throws an Error where the file cannot be read or made
 */
export function receiptsWith(keysPath: string): SaleOpener {
  return (context) => {
    const { seller, clock, log } = context;
    const keys = openKeys(keysPath, clock);
    const sales = signSales({ ...context, keys });
    if (log === undefined) return sales;
    const roots = new DailyRoots({ keys, baseUrl: seller.baseUrl, log, clock });
    const sign = signerWith(keys, seller.baseUrl, clock);
    return Object.assign(sales, { ports: portsOf(sales, roots, sign), tick: () => roots.tick() });
  };
}

function openKeys(path: string, clock: ConstructorParameters<typeof KeyRing>[1]): KeyRing {
  try {
    return new KeyRing(path, clock);
  } catch (cause) {
    throw new Error(`RECEIPT_KEYS_FILE: the file cannot be opened: ${reasonOf(cause)}`, { cause });
  }
}

/** Signs statements of other modules as those of the service. */
function signerWith(keys: KeyRing, baseUrl: string, clock: Clock): Receipts['sign'] {
  const signer = signerOf(baseUrl);
  return (payload, type) => {
    const key = keys.at(clock.now());
    return key && signJws(payload, { keyId: `${signer}#${key.id}`, type }, key.secret);
  };
}

const portsOf = (sales: SignedSales, roots: DailyRoots, sign: Receipts['sign']): readonly FilledPort[] => [
  fill(RECEIPTS, { roots, issued: () => sales.issued, sign }),
];
