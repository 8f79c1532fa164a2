import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { challengeAnswer, type Webhook } from '@perpmeter/client';
import { afterEach, describe, expect, it } from 'vitest';
import { webhookReceiver } from '../../packages/client/recipes/webhook-receiver.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { signJws } from '../../src/modules/receipts/jws.ts';
import { keyDocument } from '../../src/modules/receipts/key-document.ts';
import { readPublicJwk } from '../../src/modules/receipts/signing-keys.ts';
import { Deliveries } from '../../src/modules/webhook/deliveries.ts';
import { openDeliveryRecords } from '../../src/modules/webhook/delivery-store.ts';
import { Outbound } from '../../src/modules/webhook/outbound.ts';
import { systemTimer } from '../../src/runtime/timer.ts';
import { serve } from '../collect/loopback.ts';
import { makeAuthority, opensslObstacle } from '../ops/authority.ts';
import { until } from '../until.ts';
import { Disk, watchOf } from './delivery-rig.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const SIGNER = 'did:web:data.example.com';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const jwk = readPublicJwk(publicKey.export({ format: 'jwk' }));
const document =
  jwk && keyDocument(SIGNER, [{ id: 'k1', from: asMs(0), until: undefined, jwk, secret: privateKey }]);

function deliveriesOver(disk: Disk, folder: string): Deliveries {
  const deliveries = new Deliveries({
    term: () => 1,
    store: disk,
    records: openDeliveryRecords(folder),
    outbound: new Outbound(),
    sign: (payload, type) => signJws(payload, { keyId: `${SIGNER}#k1`, type }, privateKey),
    rules: { allowLoopback: true },
    bodyOf: ({ watchId, seq, values }) => ({ watch_id: watchId, sequence: seq, values }),
    wordsOf: ({ watchId, seq }) => `${watchId} has fired: ${seq}`,
    clock: systemClock,
    timer: systemTimer,
    report: ({ error }) => {
      throw error;
    },
  });
  return deliveries;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deliveries-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('deliveries to servers on loopback', () => {
  it('the receiver of the README: each firing once, over a restart', async () => {
    const service = await serve((_, response) => response.end(JSON.stringify(document)));
    closing.push(service.close);
    const firings: Webhook[] = [];
    const receive = webhookReceiver({
      baseUrl: service.url,
      watchId: 'w1',
      told: async (firing) => void firings.push(firing),
    });
    const { url, close } = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = new Headers(request.headers as Record<string, string>);
      const asked = new Request(`http://hook${request.url}`, {
        method: 'POST',
        headers,
        body: Buffer.concat(chunks),
      });
      const answer = await receive(asked);
      response.writeHead(answer.status).end(await answer.text());
    });
    closing.push(close);
    const disk = new Disk();
    const folder = temporaryFolder();
    const first = deliveriesOver(disk, folder);
    first.add(watchOf('w1', { webhook: `${url}/hook` }));
    first.queue(disk.fire('w1'));
    await until(() => expect(disk.acknowledged('w1')).toBe(1));
    await first.stop();
    disk.fire('w1');
    const second = deliveriesOver(disk, folder);
    closing.push(() => second.stop());
    second.add(watchOf('w1', { webhook: `${url}/hook` }));
    await until(() => expect(disk.acknowledged('w1')).toBe(2));
    expect(firings.map(({ sequence, data }) => [sequence, data])).toEqual([
      [1, { watch_id: 'w1', sequence: 1, values: { rate: 0.0001 } }],
      [2, { watch_id: 'w1', sequence: 2, values: { rate: 0.0002 } }],
    ]);
    expect(firings.map(challengeAnswer)).toEqual([undefined, undefined]);
    second.add(watchOf('w2', { webhook: `${url}/hook` }));
    await until(() => expect(second.state('w2')?.lastError).toBe('HTTP 404'));
  });

  it('a chat service: words, as its incoming webhook takes them', async () => {
    const bodies: string[] = [];
    const { url, close } = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      bodies.push(body);
      response.end('ok');
    });
    closing.push(close);
    const disk = new Disk();
    const deliveries = deliveriesOver(disk, temporaryFolder());
    closing.push(() => deliveries.stop());
    deliveries.add(watchOf('w1', { webhook: `${url}/services/T0/B0`, isOperators: true, format: 'text' }));
    deliveries.queue(disk.fire('w1'));
    await until(() => expect(deliveries.state('w1')?.delivered).toBe(1));
    expect(bodies).toEqual(['{"text":"w1 has fired: 1"}']);
  });

  const obstacle = opensslObstacle();
  it.skipIf(obstacle !== undefined)(
    'https: name and certificate are checked at the pinned address',
    async () => {
      const { authority, certificate, key, remove } = makeAuthority(undefined, 'hooks.example.com');
      closing.push(remove);
      const names: unknown[] = [];
      const server = createTlsServer(
        { cert: readFileSync(certificate), key: readFileSync(key) },
        (request, response) => {
          names.push([
            (request.socket as TLSSocket & { servername?: string }).servername,
            request.headers.host,
          ]);
          response.end();
        },
      ).listen(0, '127.0.0.1');
      await until(() => expect(server.listening).toBe(true));
      closing.push(() => server.close());
      const { port } = server.address() as AddressInfo;
      const options = {
        resolve: async () => ['127.0.0.1'],
        judge: () => undefined,
        own: () => [],
      };
      const trusted = readFileSync(authority, 'utf8');
      const postTo = (host: string, ca: string | undefined) => {
        const origin = `https://${host}:${port}`;
        const receiver = { url: `${origin}/`, origin, path: '/', host, isLoopback: false };
        const outbound = new Outbound({ ...options, ...(ca !== undefined && { ca }) });
        return outbound.post(receiver, { headers: {}, body: '{}' }, new AbortController().signal);
      };
      expect(await postTo('hooks.example.com', trusted)).toMatchObject({ ok: true, status: 200 });
      expect(names).toEqual([['hooks.example.com', `hooks.example.com:${port}`]]);
      expect(await postTo('other.example.com', trusted)).toMatchObject({ ok: false, kind: 'refused' });
      expect(await postTo('hooks.example.com', undefined)).toMatchObject({ ok: false });
      expect(names).toHaveLength(1);
    },
  );
});
