import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startSmall } from '../../test/host/start-small.ts';
import { parsePaymentConfig } from '../pay/config.ts';
import type { OpenSale, SaleContext } from '../pay/sale.ts';
import { seamsOf } from './given-seams.ts';
import type { Module } from './module.ts';
import { reading } from './open-modules.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'perpmeter-seam-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const PAYEE = `0x${'11'.repeat(20)}`;

/** A service that charges, with these modules; nothing is settled in it. */
function startCharging(modules: readonly Module[]) {
  const payments = parsePaymentConfig(
    {
      PAYMENTS_MODE: 'remote',
      PAY_TO_ADDRESS: PAYEE,
      BASE_URL: 'http://127.0.0.1:1',
      FACILITATOR_URL: 'http://127.0.0.1:1',
      LEDGER_PATH: join(dataDir, 'ledger'),
    },
    '127.0.0.1',
  );
  if (!payments.ok) throw new Error(payments.errors.join('\n'));
  return startSmall({ dataDir, modules, payments: payments.value });
}

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

  it('one cannot be opened: the service does not start', async () => {
    const hello = giving('hello', async () => {
      throw new Error('its key is lost');
    });
    expect(await startCharging([hello])).toEqual({
      ok: false,
      errors: ['its key is lost'],
    });
  });

  it('two modules give the same part: both are named, nothing starts', async () => {
    const [a, b] = [giving('a', () => makeSale()), giving('b', () => makeSale())];
    const fault = 'the modules a and b both give the part sale';
    expect(await startCharging([a, b])).toEqual({ ok: false, errors: [fault] });
  });

  it('a module is off: its part is not given', () => {
    const off = { ...giving('a', () => makeSale()), off: () => 'set A' };
    expect(seamsOf([off], reading({}))).toEqual({});
  });
});
