import { createPrivateKey } from 'node:crypto';
import { asMs } from '../../src/domain/units.ts';
import { DailyRoots } from '../../src/modules/receipts/daily-roots.ts';
import { type KeyRing, keyId, readPublicJwk } from '../../src/modules/receipts/signing-keys.ts';
import { dayNumber, leafHash, type SaleLog } from '../../src/pay/sale-log.ts';
import { EXAMPLE_NOW } from './example-market.ts';

/** The key pair of RFC 8037, appendix A. */
const RFC_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const jwk = readPublicJwk(RFC_KEY);
if (jwk === undefined) throw new Error('not a key');
const secret = createPrivateKey({ key: RFC_KEY, format: 'jwk' });
const EXAMPLE_DAY = dayNumber(EXAMPLE_NOW) - 1;

const keys = {
  keys: [{ id: keyId(jwk), from: asMs(EXAMPLE_NOW - 3_600_000), until: undefined, jwk, secret }],
  at: () => ({ id: keyId(jwk), secret }),
  refresh: () => {},
} as unknown as KeyRing;

const sealed: Parameters<SaleLog['seal']>[] = [];
let open: number | undefined = EXAMPLE_DAY;
/** One day with three receipts. */
const log = {
  firstOpen: () => open,
  close: async () => {},
  leavesOf: () => {
    const hashes = ['a', 'b', 'c'].map((name) => leafHash(Buffer.from(name)));
    return { hashes: Buffer.concat(hashes.sort((a, b) => a.compare(b))) };
  },
  seal: async (...day: Parameters<SaleLog['seal']>) => {
    sealed.push(day);
    open = undefined;
  },
  rootBefore: () => undefined,
  roots: ({ before }: { before: number }) => sealed.map(([root]) => root).filter(({ day }) => day < before),
  tree: (day: number) =>
    sealed.map(([root, leaves]) => ({ ...root, leaves })).find((leaf) => leaf.day === day),
} as unknown as SaleLog;

/** A service's receipts, the same at every run. */
export const exampleReceipts = new DailyRoots({
  keys,
  log,
  baseUrl: 'https://data.perpmeter.test',
  clock: { now: () => EXAMPLE_NOW },
});
await exampleReceipts.tick();
