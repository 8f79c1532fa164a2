import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { createOwner, isOwnerGone } from '../../src/storage/process-owner.ts';
import { bundle } from '../bundle.ts';
import { until } from '../until.ts';
import { fakeClock, fakeFacilitator, TRANSACTION } from './fakes.ts';
import { ANSWER, claimOf, keyOf, WORKER_ID } from './ledger-claims.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import { sellerAt } from './routes.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from './wallet.ts';

const WORKER = new URL('./ledger-worker.ts', import.meta.url);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function worker(...args: string[]): Promise<ChildProcessWithoutNullStreams> {
  return spawn(process.execPath, [await bundle(WORKER), ...args]);
}

/** Lines of a process, one at a time; fails with what it said on standard error. */
function linesOf(child: ChildProcessWithoutNullStreams): () => Promise<string> {
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done === true || typeof value !== 'string') throw new Error(`the process ended: ${errors}`);
    return value;
  };
}

describe('the ledger on disk', () => {
  it('what another process has stored: read as it is now', async () => {
    const open = () => openLmdbStore(folder, { formats: FORMATS });
    const reader = open();
    const writer = new Ledger({ store: open(), clock: fakeClock(), owner: 'writer' });
    let isOver = false;
    // The reader has a snapshot open whenever a change is committed.
    const readOn = (): void => {
      if (isOver) return;
      void reader.read(keyOf('none'));
      setImmediate(readOn);
    };
    readOn();
    for (let i = 0; i < 60; i++) {
      const paymentIdHash = String(i).padStart(64, '0');
      const claim = { ...claimOf(String(i)), paymentIdHash };
      const result = await writer.claim(claim);
      if (result.kind !== 'claimed') throw new Error(result.kind);
      const held = await writer.hold(result.record, { state: 'settling' }, ANSWER);
      if (held === undefined || held === 'full') throw new Error('not held');
      expect(reader.read(claim.key)).toMatchObject({ state: 'settling' });
      const settled = await writer.change(held, { state: 'settled' });
      expect(reader.readPurchase(paymentIdHash)).toEqual(settled);
      expect(await writer.arrived(settled ?? held)).toBe(true);
      expect(reader.read(claim.key)).toMatchObject({ state: 'delivered' });
    }
    isOver = true;
    await Promise.all([reader.close(), writer.close()]);
  });

  it('is there after a restart, for its owner only', async () => {
    const clock = fakeClock();
    const first = new Ledger({ store: openLmdbStore(folder, { formats: FORMATS }), clock, owner: 'a' });
    const result = await first.claim(claimOf('a'));
    if (result.kind !== 'claimed') throw new Error(result.kind);
    await first.hold(result.record, { state: 'settling' }, ANSWER);
    await first.close();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const second = new Ledger({ store: openLmdbStore(folder, { formats: FORMATS }), clock, owner: 'b' });
    const record = await second.get(keyOf('a'));
    expect(record).toEqual(expect.objectContaining({ state: 'settling', paymentIdHash: undefined }));
    expect(record && (await second.answer(record))).toEqual(ANSWER);
    await second.close();
  });

  it.each([
    ['nonce', 'hold'],
    ['payment identifier', 'purchase'],
  ])('gives each %s to one of several processes', async (_, command) => {
    const children = [await worker(command, folder, '500'), await worker(command, folder, '500')];
    const lines = children.map(linesOf);
    for (const line of lines) expect(await line()).toBe('ready');
    for (const child of children) child.stdin.write('go\n');
    const won = await Promise.all(lines.map(async (line) => JSON.parse(await line()) as number[]));
    expect(won.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i));
  });
});

/** The connection has closed, and the ledger knows it. */
function delivered(paidServer: PaidServer): Promise<void> {
  return until(async () => expect((await paidServer.ledger.list({ limit: 1 }))[0]?.state).toBe('delivered'));
}

describe('a killed process', () => {
  const buyer = newAccount();

  /** The payment, the paid server that takes over its ledger, and what the reconciler of the new process found. */
  async function killAt(stage: string) {
    const facilitator = fakeFacilitator();
    const signed = await signAuthorization(buyer, sellerAt(), { value: '5000' });
    const child = await worker('stall', folder, stage, encodeHeader(v2Payload(sellerAt(), signed)));
    expect(await linesOf(child)()).toBe(stage);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    const paidServer = await startPaidServer({
      facilitator,
      payTo: sellerAt().payTo,
      store: openLmdbStore(folder, { formats: FORMATS }),
    });
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)) };
    const present = async () => {
      const response = await fetch(`${paidServer.url}/v1/perp/basis?ticker=BTC`, { headers });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    /** Signed anew, under the identifier of the payment that was cut off. */
    const buyAgain = async () => {
      const fresh = await signAuthorization(buyer, paidServer.seller, { value: '5000' });
      const payment = encodeHeader(v2Payload(paidServer.seller, fresh));
      const response = await fetch(`${paidServer.url}/v1/perp/basis?ticker=BTC`, {
        headers: { 'PAYMENT-SIGNATURE': payment, 'Idempotency-Key': WORKER_ID },
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    return { paidServer, facilitator, present, buyAgain };
  }

  it('at settle, bought again under its identifier: charged once', async () => {
    const { paidServer, facilitator, buyAgain } = await killAt('settle');
    facilitator.settleWith = [
      { kind: 'unknown', reason: 'TimeoutError', pending: false, transaction: undefined },
    ];
    expect(await buyAgain()).toMatchObject({ status: 503, body: { code: 'settlement_unknown' } });
    facilitator.settleWith = [{ kind: 'settled', transaction: TRANSACTION }];
    await until(async () =>
      expect(await buyAgain()).toMatchObject({ status: 200, body: { product: 'made before the crash' } }),
    );
    expect(facilitator.verified).toHaveLength(0);
    expect(new Set(facilitator.settled.map(({ payload }) => payload.authorization.nonce)).size).toBe(1);
    expect(await paidServer.ledger.list({ limit: 10 })).toHaveLength(1);
    await paidServer.stop();
  });

  it('at verify, bought again under its id: by the new payment', async () => {
    const { paidServer, facilitator, buyAgain } = await killAt('verify');
    expect(await buyAgain()).toMatchObject({ status: 200, body: { product: 1 } });
    expect(facilitator.settled).toHaveLength(1);
    await paidServer.stop();
  });

  it('between settle and send, bought again under its identifier: its answer', async () => {
    const { paidServer, facilitator, buyAgain } = await killAt('send');
    expect(await buyAgain()).toMatchObject({ status: 200, body: { product: 'made before the crash' } });
    expect([facilitator.verified.length, facilitator.settled.length]).toEqual([0, 0]);
    await paidServer.stop();
  });

  it.each(['verify', 'produce'])('at %s has charged nothing: the payment buys afresh', async (stage) => {
    const { paidServer, facilitator, present } = await killAt(stage);
    expect(await paidServer.paywall.reconciler.recover()).toBe(0);
    expect(await paidServer.ledger.list({ limit: 1 })).toEqual([]);
    expect(await present()).toMatchObject({ status: 200, body: { product: 1 } });
    expect(facilitator.settled).toHaveLength(1);
    await paidServer.stop();
  });

  it('at settle: unknown, reconciled, and its answer delivered once', async () => {
    const { paidServer, facilitator, present } = await killAt('settle');
    facilitator.settleWith = [
      { kind: 'unknown', reason: 'TimeoutError', pending: false, transaction: undefined },
    ];
    expect(await paidServer.paywall.reconciler.recover()).toBe(1);
    expect(await paidServer.ledger.list({ limit: 1 })).toMatchObject([
      { state: 'unknown', reason: 'worker_lost' },
    ]);
    expect(await present()).toMatchObject({ status: 503, body: { code: 'settlement_unknown' } });
    facilitator.settleWith = [{ kind: 'settled', transaction: TRANSACTION }];
    const answer = await until(async () => {
      const again = await present();
      expect(again.status).toBe(200);
      return again;
    }, 200);
    expect(answer.body).toEqual({ product: 'made before the crash' });
    await delivered(paidServer);
    expect(await present()).toMatchObject({ status: 402 });
    await paidServer.stop();
  });

  it('between settle and send leaves the stored answer, delivered once', async () => {
    const { paidServer, facilitator, present } = await killAt('send');
    expect(await paidServer.ledger.list({ limit: 1 })).toMatchObject([
      { state: 'settled', transaction: TRANSACTION },
    ]);
    expect(await present()).toMatchObject({ status: 200, body: { product: 'made before the crash' } });
    await delivered(paidServer);
    expect(await present()).toMatchObject({ status: 402, body: { error: 'authorization_used' } });
    expect(facilitator.settled).toHaveLength(0);
    await paidServer.stop();
  });
});

describe('the owner id of a process', () => {
  it('distinguishes a dead process from a living one, and never guesses', async () => {
    expect(isOwnerGone(createOwner())).toBe(false);
    const place = createOwner().split('/').slice(0, -2).join('/');
    const child = spawn(process.execPath, ['-e', '']);
    const { pid } = child;
    await new Promise((resolve) => child.once('exit', resolve));
    expect(isOwnerGone(`${place}/${pid}/abc`)).toBe(true);
    const [host = '', boot = '', ...namespace] = place.split('/');
    if (process.platform === 'linux') {
      expect(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).toContain(boot);
      expect(namespace).not.toEqual([]);
    }
    const elsewhere = (...names: string[]): string => [...names, ...namespace, pid, 'abc'].join('/');
    expect(isOwnerGone(elsewhere(host, boot))).toBe(true);
    expect(isOwnerGone(elsewhere('another-host', boot))).toBe(false);
    // A machine of the same name, or this one before it was started again.
    expect(isOwnerGone(elsewhere(host, 'another-start'))).toBe(false);
    expect(isOwnerGone(`${place}/not-a-number/abc`)).toBe(false);
  });
});
