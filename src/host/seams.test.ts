import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startSmall } from '../../test/host/start-small.ts';
import type { HistorySettings } from '../history/open-history.ts';
import { DEFAULT_RETENTION as retention } from '../history/retention.ts';
import { parsePaymentConfig } from '../pay/config.ts';
import type { OpenSale, SaleContext } from '../pay/sale.ts';
import { isFolderInUse } from '../storage/folder-use.ts';
import { seamsOf } from './given-seams.ts';
import type { Module } from './module.ts';
import { reading } from './open-modules.ts';
import type { Seams } from './seams.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'perpmeter-seam-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const PAYEE = `0x${'11'.repeat(20)}`;

const REMOTE = { PAYMENTS_MODE: 'remote', FACILITATOR_URL: 'http://127.0.0.1:1' };
const SELF = {
  PAYMENTS_MODE: 'self',
  FACILITATOR_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
  RPC_URL: 'http://127.0.0.1:1',
};

/** A service that charges, with these modules; nothing is settled in it. */
function startCharging(
  modules: readonly Module[],
  settling: Readonly<Record<string, string>> = REMOTE,
  history?: HistorySettings,
) {
  const common = {
    PAY_TO_ADDRESS: PAYEE,
    BASE_URL: 'http://127.0.0.1:1',
    LEDGER_PATH: join(dataDir, 'ledger'),
  };
  const payments = parsePaymentConfig({ ...common, ...settling }, '127.0.0.1');
  if (!payments.ok) throw new Error(payments.errors.join('\n'));
  return startSmall({ dataDir, modules, payments: payments.value, ...(history && { history }) });
}

const lost = async (): Promise<never> => {
  throw new Error('it is lost');
};

/** Each part, as one that cannot be opened. */
const LOST: Readonly<Record<keyof Seams, Seams>> = {
  sale: { sale: lost },
  facilitator: { facilitator: lost },
  ledger: { ledger: { kind: 'postgres', setting: 'LEDGER', open: lost } },
  identities: { identities: { kind: 'postgres', open: lost } },
  reading: { reading: lost },
  feed: { feed: { kind: 'nats', open: lost } },
};

/** Signs every offer by one word. */
function makeSale(more: Partial<OpenSale> = {}): OpenSale {
  return {
    minute: 0,
    extension: () => '{"signed":"by hello"}',
    issue: () => undefined,
    show: () => ({ extensions: {}, headers: {} }),
    ...more,
  };
}

const giving = (id: string, sale: NonNullable<ReturnType<Module['seams'] & {}>['sale']>): Module => ({
  id,
  seams: () => ({ sale }),
});

describe('parts of the spine that a module gives', () => {
  it('the signing of sales: opened with the seller, in challenges, ended', async () => {
    const opened: SaleContext[] = [];
    let stops = 0;
    const stop = () => {
      stops += 1;
    };
    const hello = giving('hello', (context) => {
      opened.push(context);
      return makeSale({ stop });
    });
    const started = await startCharging([hello]);
    if (!started.ok) throw new Error(started.errors.join('\n'));
    const response = await fetch(`http://127.0.0.1:${started.value.port}/v1/funding/current?symbol=BTC`);
    expect(await response.json()).toMatchObject({ extensions: { signed: 'by hello' } });
    expect(opened.map(({ seller }) => seller.payTo)).toEqual([PAYEE]);
    expect(stops).toBe(0);
    await started.value.stop();
    expect(stops).toBe(1);
  });

  it.each(Object.entries(LOST))('%s cannot be opened: the start fails with it', async (part, seams) => {
    const settling = part === 'facilitator' ? SELF : REMOTE;
    const history = { engine: { engine: 'embedded', path: join(dataDir, 'history') }, retention } as const;
    const started = await startCharging([{ id: 'hello', seams: () => seams }], settling, history);
    if (started.ok) await started.value.stop();
    expect(started).toEqual({ ok: false, errors: [expect.stringContaining('it is lost')] });
    expect(await isFolderInUse(dataDir)).toBe(false);
  });

  it('two modules give the same part: both are named, nothing starts', async () => {
    const both = ['a', 'b'].map((id) => giving(id, () => makeSale()));
    const fault = 'the modules a and b both give the part sale';
    expect(await startCharging(both)).toEqual({ ok: false, errors: [fault] });
  });

  it('a module is off: its part is not given', () => {
    const off = { ...giving('a', () => makeSale()), off: () => 'set A' };
    expect(seamsOf([off], reading({}))).toEqual({});
  });
});
