import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  extractReceiptPayload,
  findAcceptsObjectFromSignedOffer,
  isJWSSignedOffer,
  isJWSSignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { operatorStory } from '../../src/modules/accounting/payment-story.ts';
import { DailyRoots } from '../../src/modules/receipts/daily-roots.ts';
import { keyDocument, signerOf } from '../../src/modules/receipts/key-document.ts';
import { ReceiptIssuer } from '../../src/modules/receipts/sale-receipts.ts';
import { KeyRing, ROTATION_DELAY_MS, rotateKeys } from '../../src/modules/receipts/signing-keys.ts';
import { verifyProof, verifyReceipt } from '../../src/modules/receipts/verify-receipt.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { leafHash } from '../../src/pay/sale-log.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import { type FakeClock, fakeClock, fakeFacilitator, TRANSACTION } from './fakes.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import { sellerAt } from './routes.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from './wallet.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const { payTo } = sellerAt();

let folder: string;
let clock: FakeClock;
let keys: KeyRing;
let server: PaidServer | undefined;
let store: LedgerStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'receipts-'));
  // Noon: a test says itself when a day ends.
  clock = fakeClock(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2);
  keys = new KeyRing(join(folder, 'keys.json'), clock);
  await start();
});
afterEach(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A process of the service over the same ledger. */
async function start(): Promise<void> {
  store = openLmdbStore(join(folder, 'ledger'), { formats: FORMATS, clock });
  server = await startPaidServer({ facilitator: fakeFacilitator(), payTo, store, clock, keys });
}

const running = (): PaidServer => server ?? raise('no server');
function raise(what: string): never {
  throw new Error(what);
}

const buyer = newAccount();
async function payment(): Promise<Record<string, string>> {
  const validBefore = String(Math.floor(clock.now() / 1000) + 60);
  const signed = await signAuthorization(buyer, running().seller, { value: '5000', validBefore });
  return { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(running().seller, signed)) };
}
const get = (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(running().url + PATH, { headers });
const document = () => keyDocument(signerOf(running().seller.baseUrl), keys.keys);
const jwkOf = () => keys.keys[0]?.jwk ?? raise('no key');
const receiptOf = (response: Response): string =>
  response.headers.get('perpmeter-receipt') ?? raise('no receipt');

type Required = Parameters<typeof extractOffersFromPaymentRequired>[0];

describe('a challenge', () => {
  it('an offer: the official functions read, match and verify it', async () => {
    const unpaid = await get();
    const body = (await unpaid.json()) as Required;
    const header = unpaid.headers.get('payment-required') ?? '';
    const required = JSON.parse(Buffer.from(header, 'base64').toString()) as Required;
    const [offer] = extractOffersFromPaymentRequired(body);
    if (offer === undefined || !isJWSSignedOffer(offer)) throw new Error('no offer');
    const [decoded] = decodeSignedOffers([offer]);
    expect(decoded).toMatchObject({ resourceUrl: required.resource.url, amount: '5000', payTo });
    expect(findAcceptsObjectFromSignedOffer(offer, required.accepts)).toBe(required.accepts[0]);
    expect(await verifyOfferSignatureJWS(offer, jwkOf())).toMatchObject({ version: 1, scheme: 'exact' });
    const seconds = (decoded?.validUntil ?? 0) - clock.now() / 1000;
    expect(seconds).toBeGreaterThanOrEqual(60);
    expect(seconds).toBeLessThanOrEqual(120);
  });

  it('has the same bytes within a minute, and is signed again in the next', async () => {
    const texts = [await (await get()).text(), await (await get()).text()];
    clock.advance(60_000);
    texts.push(await (await get()).text());
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).not.toBe(texts[0]);
  });
});

describe('a sale', () => {
  it('a receipt: the official functions read, verify and match it', async () => {
    const [offer] = decodeSignedOffers(
      extractOffersFromPaymentRequired((await (await get()).json()) as Required),
    );
    const paid = await get(await payment());
    const receipt = extractReceiptFromResponse(paid);
    if (receipt === undefined || !isJWSSignedReceipt(receipt) || offer === undefined) throw new Error('none');
    expect(extractReceiptPayload(receipt)).toMatchObject({ payer: buyer.address, transaction: TRANSACTION });
    expect(await verifyReceiptSignatureJWS(receipt, jwkOf())).toMatchObject({
      version: 1,
      network: 'eip155:8453',
    });
    expect(verifyReceiptMatchesOffer(receipt, offer, [buyer.address])).toBe(true);
  });

  it('a receipt of ours: binds its answer, the next sale has its own', async () => {
    const paid = await get(await payment());
    const answer = Buffer.from(await paid.arrayBuffer());
    const expected = { exact: true, request: PATH, payer: buyer.address, transaction: TRANSACTION };
    expect(verifyReceipt(receiptOf(paid), answer, document(), expected)).toMatchObject({ ok: true });
    const other = await get(await payment());
    expect(verifyReceipt(receiptOf(other), answer, document())).toEqual({ ok: false, fault: 'other_answer' });
  });

  it('signed again where it could not be stored: counted once', async () => {
    await get(await payment());
    await get(await payment());
    const issuer = new ReceiptIssuer({ keys, baseUrl: running().seller.baseUrl, routeTable: 'table' });
    for (const sale of await running().ledger.list({ limit: 2 })) {
      const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
      expect(issuer.issue(sale, answer)).toEqual(issuer.issue(sale, answer));
    }
    expect(issuer.issued).toBe(2);
  });

  it('has the same receipts byte for byte when its answer is given again', async () => {
    const headers = { ...(await payment()), 'Idempotency-Key': 'a-private-id-of-mine' };
    const first = await get(headers);
    clock.advance(5_000);
    const again = await get(headers);
    expect(await again.text()).toBe(await first.text());
    for (const name of ['payment-response', 'x-payment-response', 'perpmeter-receipt']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
  });

  it('the process that settled is gone: its receipts are there', async () => {
    running().cutPaid = true;
    const headers = await payment();
    await expect(get(headers)).rejects.toThrow();
    const [record] = await running().ledger.list({ limit: 1 });
    const stored = record && (await running().ledger.receipts(record));
    // The next process has another port here, and with it another name.
    const published = document();
    await running().stop();
    await start();
    await until(async () => expect((await get(headers).then(keep)).status).toBe(200));
    expect(kept?.headers.get('perpmeter-receipt')).toBe(stored?.answer);
    expect(verifyReceipt(stored?.answer ?? '', Buffer.from(body), published)).toMatchObject({
      ok: true,
      value: { by: 'bytes' },
    });
  });

  it('delivered: its story has the hash of the answer, both receipts', async () => {
    const paid = await get(await payment());
    const answer = Buffer.from(await paid.arrayBuffer());
    const ledger = running().ledger;
    const sold = await until(async () => {
      const [record] = await ledger.list({ limit: 1 });
      return record?.state === 'delivered' ? record : raise('not yet');
    });
    const { found } = await operatorStory({ payments: { ledger } as never }, sold.key);
    expect(found).toMatchObject({ answer: null, receipts_gap: null });
    expect(found?.sold?.body_sha256).toBe(createHash('sha256').update(answer).digest('base64url'));
    expect(found?.receipts?.answer).toBe(receiptOf(paid));
    expect(verifyReceipt(found?.receipts?.answer ?? '', answer, document())).toMatchObject({ ok: true });
    clock.advance(DAY_MS);
    const roots = new DailyRoots({
      keys,
      clock,
      baseUrl: running().seller.baseUrl,
      log: store.saleLog ?? raise('no log'),
    });
    await roots.tick();
    const proof = await roots.proof(Math.floor((clock.now() - DAY_MS) / DAY_MS), found?.sold?.leaf ?? '');
    expect(verifyProof(receiptOf(paid), proof, document())).toMatchObject({ ok: true });
  });

  it('none stored: no receipt; a refused answer: none', async () => {
    running().check = () => ({ code: 'no_data', detail: 'nothing' });
    const refused = await get(await payment());
    expect(refused.headers.get('perpmeter-receipt')).toBeNull();
    expect(await store.saleLog?.firstOpen()).toBeUndefined();
  });
});

let kept: Response | undefined;
let body = '';
async function keep(response: Response): Promise<Response> {
  kept = response;
  body = await response.text();
  return response;
}

describe('the roots of days', () => {
  const roots = (): DailyRoots =>
    new DailyRoots({
      keys,
      clock,
      baseUrl: running().seller.baseUrl,
      log: store.saleLog ?? raise('no log'),
    });
  const today = () => Math.floor(clock.now() / DAY_MS);
  const leafOf = (receipt: string): string => leafHash(Buffer.from(receipt)).toString('hex');
  const sell = async (count: number): Promise<string[]> => {
    const receipts: string[] = [];
    for (let i = 0; i < count; i++) receipts.push(receiptOf(await get(await payment())));
    return receipts;
  };

  it('hold every receipt of a closed day, provably, and name the root before', async () => {
    const day = today();
    const receipts = await sell(5);
    await roots().tick();
    expect(await roots().proof(day, leafOf(receipts[0] ?? ''))).toBe('open');
    clock.advance(DAY_MS + 6 * 60_000);
    const [later = ''] = await sell(1);
    await roots().tick();
    for (const receipt of receipts) {
      const proof = await roots().proof(day, leafOf(receipt));
      expect(verifyProof(receipt, proof, document())).toMatchObject({ ok: true, value: { size: 5 } });
      expect(verifyProof(later, proof, document())).toEqual({ ok: false, fault: 'other_day' });
    }
    expect(await roots().proof(day, leafOf(later))).toBeUndefined();
    clock.advance(DAY_MS);
    await roots().tick();
    const signed = await roots().roots(today() + 1, 10);
    expect(signed.map((root) => root.day)).toEqual([day + 1, day]);
    const [second, first] = signed.map(({ statement }) =>
      JSON.parse(Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString()),
    );
    expect(second).toMatchObject({ previous_sha256: first.root_sha256, size: 1 });
    const keyFrom = keys.at(clock.now())?.from;
    expect(await roots().state()).toEqual({ rootsTo: (day + 2) * DAY_MS, keys: keys.keys.length, keyFrom });
    expect(await store.saleLog?.firstOpen()).toBeUndefined();
    await roots().tick();
    expect(await roots().roots(today() + 1, 10)).toEqual(signed);
  });

  it('a closed day: takes no receipt, and the sale has none', async () => {
    const day = today();
    clock.advance(DAY_MS);
    await store.saleLog?.close(day + 1);
    const headers = { ...(await payment()), 'Idempotency-Key': 'a-private-id-of-mine' };
    const paid = await get(headers);
    expect([paid.status, paid.headers.get('perpmeter-receipt')]).toEqual([200, null]);
    expect(paid.headers.get('payment-response')).not.toBeNull();
    const text = await paid.text();
    const again = await get(headers);
    expect([again.status, await again.text()]).toEqual([200, text]);
    expect(again.headers.get('perpmeter-receipt')).toBeNull();
    expect(await store.saleLog?.firstOpen()).toBeUndefined();
    clock.advance(DAY_MS);
    await sell(1);
    expect(await store.saleLog?.firstOpen()).toBe(day + 2);
  });

  it('closed too early by a clock ahead: no buyer loses an answer', async () => {
    await sell(1);
    clock.advance(DAY_MS + 6 * 60_000);
    await roots().tick();
    clock.advance(-DAY_MS - 6 * 60_000);
    const paid = await get(await payment());
    expect([paid.status, paid.headers.get('perpmeter-receipt')]).toEqual([200, null]);
    expect(running().errors).toEqual([]);
  });

  it('the day lost at the first attempt: the sale has a receipt', async () => {
    let attempts = 0;
    const { ledger } = running();
    const real = ledger.change.bind(ledger);
    vi.spyOn(ledger, 'change').mockImplementation(async (record, change, options) => {
      const isLost = options?.receipts !== undefined && ++attempts === 1;
      return isLost ? undefined : real(record, change, options);
    });
    const paid = await get(await payment());
    vi.restoreAllMocks();
    expect([paid.status, attempts]).toEqual([200, 2]);
    expect(await store.saleLog?.firstOpen()).toBe(today());
    expect(receiptOf(paid)).not.toBe('');
  });
});

describe('signing keys', () => {
  const path = (): string => join(folder, 'keys.json');

  it('are made once, for their owner only, whoever starts first', () => {
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(new KeyRing(path(), clock).keys.map(({ id }) => id)).toEqual(keys.keys.map(({ id }) => id));
  });

  it('follow without a gap; old ones stay, without their secret', () => {
    const [old] = keys.keys;
    const made = rotateKeys(path(), clock.now());
    utimesSync(path(), new Date(), new Date(Date.now() + 5_000));
    keys.refresh();
    expect(keys.at(clock.now())?.id).toBe(old?.id);
    clock.advance(ROTATION_DELAY_MS);
    expect(keys.at(clock.now())?.id).toBe(made.id);
    const [first, second] = keyDocument('did:web:a', keys.keys).verificationMethod;
    expect(first?.expires).toBe(second?.validFrom);
    expect(JSON.stringify(keyDocument('did:web:a', keys.keys))).not.toContain('"d"');
    rotateKeys(path(), clock.now());
    const file = JSON.parse(readFileSync(path(), 'utf8'));
    expect(file.keys.map(({ key }: { key: object }) => 'd' in key)).toEqual([false, true, true]);
  });

  it('before their time: sign nothing; foreign files: refused', () => {
    expect(keys.at(asMs(clock.now() - DAY_MS))).toBeUndefined();
    expect(() => new KeyRing('/dev/null', clock)).toThrow('the signing keys in /dev/null cannot be read');
  });
});

describe('the name of the signer', () => {
  it('leads to the key document of the address', () => {
    expect(signerOf('https://data.example.com')).toBe('did:web:data.example.com');
    expect(signerOf('http://127.0.0.1:8402')).toBe('did:web:127.0.0.1%3A8402');
    expect(signerOf('https://example.com/perps/eu')).toBe('did:web:example.com:perps:eu:.well-known');
  });
});
