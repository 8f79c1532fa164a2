import { describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import { CURRENT, openSocket, PAYMENT, start, useExample } from './started-example.ts';

useExample();

describe('shutdown', () => {
  it('finishes payments in flight, refuses new ones, then closes the port', async () => {
    const [{ api, paywall }, base] = await start();
    let release = (): void => undefined;
    paywall.hold = new Promise((resolve) => {
      release = resolve;
    });
    const agent = { headers: { ...PAYMENT, Connection: 'keep-alive' } };
    const idle = await fetch(`${base}/v1/health`);
    await idle.arrayBuffer();
    const underWay = fetch(base + CURRENT, agent);
    await until(() => expect(paywall.taken).toHaveLength(1));
    const closed = api.close();
    await expect(fetch(`${base}/v1/health`)).rejects.toThrow();
    release();
    const response = await underWay;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ symbol: 'ALL' });
    await closed;
  });

  it('waits no longer than the drain time', async () => {
    const [{ api, paywall }, base] = await start({ drainMs: 30 });
    paywall.hold = new Promise(() => undefined);
    const stuck = fetch(base + CURRENT, { headers: PAYMENT });
    const ended = expect(stuck).rejects.toThrow();
    await until(() => expect(paywall.taken).toHaveLength(1));
    await api.close();
    await ended;
  });

  it('refuses a payment during shutdown before it is verified', async () => {
    const [{ api, paywall }, base] = await start();
    let release = (): void => undefined;
    paywall.hold = new Promise((resolve) => {
      release = resolve;
    });
    const chunks: Buffer[] = [];
    const socket = openSocket(base);
    socket.on('data', (chunk) => chunks.push(chunk));
    const gone = new Promise((resolve) => socket.once('close', resolve));
    // The connection is busy with an unfinished request, so it stays open when the port closes.
    socket.write(`GET ${CURRENT} HTTP/1.1\r\nHost: x\r\nX-PAYMENT: e30=\r\n`);
    const underWay = fetch(base + CURRENT, { headers: PAYMENT });
    await until(() => expect(paywall.taken).toHaveLength(1));
    const closed = api.close();
    socket.write('\r\n');
    await gone;
    const text = Buffer.concat(chunks).toString();
    expect(text).toMatch(/^HTTP\/1\.1 503/);
    expect(text).toContain('"code":"shutting_down"');
    expect(text).toMatch(/Retry-After: \d+/);
    expect(text).toMatch(/Connection: close/i);
    expect(paywall.taken).toHaveLength(1);
    release();
    expect((await underWay).status).toBe(200);
    await closed;
  });
});
