import { afterEach, describe, expect, it, vi } from 'vitest';
import { venuesCommand } from '../../src/cli/venues.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { json, type Seller, startSeller } from '../client/seller.ts';

let service: Seller | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await service?.stop();
  service = undefined;
});

/** The command's output where PERPMETER_URL is this address. */
async function listed(url: string) {
  vi.stubEnv('PERPMETER_URL', url);
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await venuesCommand({ json: true });
  const [printed, said] = [stdout, stderr].map((stream) =>
    stream.mock.calls.map(([text]) => String(text)).join(''),
  );
  stdout.mockRestore();
  stderr.mockRestore();
  const rows = JSON.parse(printed ?? '') as readonly Readonly<Record<string, string>>[];
  return { code, said, okx: rows.find(({ id }) => id === 'okx') };
}

/** A service that answers with these venues, or with something else. */
async function answering(health: unknown): Promise<string> {
  service = await startSeller();
  const answers = new Map([
    ['/v1/venues/health', json(200, health)],
    ['/v1/venues/list', json(200, [])],
  ]);
  service.unpaid = (request, response) =>
    (answers.get(request.url ?? '') ?? json(404, {}))(request, response);
  return service.url;
}

describe('venues', () => {
  it('have their state from the service that PERPMETER_URL names', async () => {
    const url = await answering([{ venue: 'okx', status: 'live', tracked_symbols: 7 }]);
    expect(await listed(url)).toMatchObject({ code: 0, said: '', okx: { status: 'live', symbols: '7' } });
  });

  it('are listed without it, and with a word of it, where no service answers', async () => {
    const nowhere = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
    const other = await answering({ hello: 'world' });
    for (const url of [nowhere, other]) {
      const { code, said, okx } = await listed(url);
      expect([code, said]).toEqual([0, `venues: without their state, no service answers at ${url}\n`]);
      expect(okx).toMatchObject({ id: 'okx' });
      expect(okx).not.toHaveProperty('status');
    }
  });
});
