import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BuyOptions, buyCommand } from '../../src/cli/buy.ts';
import { writeDemoFile } from '../../src/host/process/demo-file.ts';
import { channelsClose, channelsList } from '../../src/modules/channels/command.ts';
import { channelsFind } from '../../src/modules/channels/find.ts';
import { backendOf } from '../../src/modules/mcp/command.ts';
import { ROUTES, TOOL_PLACES } from '../../src/modules/routes.ts';
import { type ChannelService, startChannelService } from '../client/channels/rig.ts';

const PATH = '/v1/funding/current?symbol=BTC';

let service: ChannelService;
const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'perpmeter-channels-'));
const channelFile = join(folder, 'state', 'channels.jsonl');
beforeAll(async () => {
  service = await startChannelService();
  process.chdir(folder);
  mkdirSync('var');
  const { address, privateKey } = service.chain.buyer;
  writeDemoFile({ base_url: service.url, buyer_address: address, buyer_private_key: privateKey, pids: {} });
});
afterAll(async () => {
  process.chdir(home);
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a command; its exit code and what it wrote. */
async function ran(command: () => Promise<number>) {
  const written: string[] = [];
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    written.push(Buffer.from(chunk).toString());
    for (const done of rest) if (typeof done === 'function') done();
    return true;
  };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(write);
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(write);
  const code = await command().finally(() => {
    out.mockRestore();
    err.mockRestore();
  });
  return { code, said: written.join('') };
}
const buy = (options: Partial<BuyOptions> = {}) =>
  ran(() => buyCommand(PATH, { maxUsd: '0.01', channel: true, channelFile, ...options }));

describe('mcp with channels', () => {
  it('from the third call on: a channel, within the caps', async () => {
    const table = { routes: ROUTES, toolPlaces: TOOL_PLACES };
    const caps = { maxUsd: '0.01', maxTotalUsd: '0.02' };
    const backend = await backendOf({ url: service.url, channelFile, ...caps }, table);
    const before = await service.transactions();
    for (let i = 0; i < 8; i++) {
      const call = { url: PATH, quotedUsd: '0.001' } as Parameters<typeof backend.call>[0];
      expect((await backend.call(call)).status).toBe(200);
    }
    expect((await service.transactions()) - before).toBe(3);
    const { said } = await ran(() => channelsList({ channelFile, json: true }));
    const channel: unknown = JSON.parse(said);
    expect(channel).toMatchObject({ depositedUsd: '0.018', spentUsd: '0.006', leftUsd: '0.012' });
    expect(backend.budget?.()).toMatchObject({ spent_usd: '0.008' });
  });
});

describe('buy --channel', () => {
  it('over runs: vouchers of the channel that is open', async () => {
    const before = await service.transactions();
    for (let i = 0; i < 3; i++) {
      expect(await buy()).toMatchObject({ code: 0, said: expect.stringContaining('"transaction":""') });
    }
    expect(await service.transactions()).toBe(before);
  });

  it('--times: so many answers, counted by how they were paid', async () => {
    const { code, said } = await buy({ times: '5', maxUsd: '0.001' });
    expect(code).toBe(0);
    expect(said).toMatch(/5 answers for 0\.005 USD in [\d.]+ s: 0 with a transaction, 5 by a voucher alone/);
    const exact = await buy({ times: '2', channel: undefined });
    expect(exact.said).toMatch(/2 answers for 0\.002 USD in [\d.]+ s: 2 with a transaction, 0 by a voucher/);
    expect((await buy({ times: '0' })).said).toMatch(/--times is a whole number/);
    expect((await buy({ times: '2', id: 'order-0123456789abcdef' })).said).toMatch(/--id names one purchase/);
  });

  it('a file that cannot be opened: nothing is paid', async () => {
    const before = await service.transactions();
    expect(await buy({ channelFile: '/dev/null/channels.jsonl' })).toMatchObject({ code: 1 });
    expect(await service.transactions()).toBe(before);
  });

  it('--max-deposit-usd: bounds what lies in channels', async () => {
    const own = join(folder, 'small.jsonl');
    const { code } = await buy({ channelFile: own, maxDepositUsd: '0.003', times: '2' });
    expect(code).toBe(0);
    // Three prices are worth no channel, and what the file does not know the seller does.
    expect(existsSync(own)).toBe(true);
    expect(readFileSync(own, 'utf8')).toBe('');
  });
});

describe('channels', () => {
  it('list: what is open and left, as a table and as JSON', async () => {
    const table = await ran(() => channelsList({ channelFile }));
    expect(table.said).toMatch(new RegExp(`0x\\w{10} +open +[\\d.]+ +0\\.014 +[\\d.]+ +${service.url}`));
    const lines = await ran(() => channelsList({ channelFile, json: true }));
    expect(JSON.parse(lines.said)).toMatchObject({ state: 'open', spentUsd: '0.014', origin: service.url });
  });

  it('close: refunded; of an unknown one nothing', async () => {
    const none = await ran(() => channelsClose('0xnone', { channelFile }));
    expect(none).toEqual({ code: 1, said: 'channels: there is no channel 0xnone\n' });
    const closed = await ran(() => channelsClose('0x', { channelFile }));
    expect(closed.said).toMatch(/0\.004 USD refunded by 0x/);
  });
});

describe('buy --channel, whose file was lost', () => {
  const lost = (name: string) => ({ channelFile: join(folder, name) });
  const byVoucher = expect.stringContaining('"transaction":""');

  it('with a node: the channel goes on from what was claimed', async () => {
    const rpcUrl = service.chain.rpcUrl;
    expect(await buy({ ...lost('one.jsonl'), rpcUrl })).toMatchObject({ code: 0 });
    expect(await buy({ ...lost('one.jsonl'), rpcUrl })).toMatchObject({ code: 0, said: byVoucher });
    const { said } = await ran(() => channelsList({ ...lost('one.jsonl'), json: true }));
    expect(JSON.parse(said)).toMatchObject({ state: 'open', spentUsd: '0.016' });
  });

  it('without one, and no proof from the seller: exact, then another channel', async () => {
    // The deposit that was signed for the lost one counts: the seller may have taken it.
    const options = { ...lost('two.jsonl'), maxDepositUsd: '0.30' };
    for (let i = 0; i < 2; i++) expect(await buy(options)).toMatchObject({ code: 0 });
    expect(await buy(options)).toMatchObject({ code: 0, said: byVoucher });
    const { said } = await ran(() => channelsList({ ...options, json: true }));
    const states = said
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { state: string }).state);
    expect(states).toEqual(['disputed', 'open']);
  });

  it('find: in the file again, so that it is refunded', async () => {
    const found = { ...lost('three.jsonl'), rpcUrl: service.chain.rpcUrl };
    expect(await ran(() => channelsFind(lost('three.jsonl')))).toEqual({
      code: 1,
      said: 'channels: no node is given that reads the chain\n',
    });
    const { code, said } = await ran(() => channelsFind(found));
    expect(code).toBe(0);
    expect(said).toMatch(/^channels: (0x\w{64}) is in the file again: `channels close` refunds it\n/);
    const [id = ''] = /0x\w{64}/.exec(said) ?? [];
    const closed = await ran(() => channelsClose(id, found));
    expect(closed).toMatchObject({ code: 0, said: expect.stringMatching(/USD refunded by 0x/) });
  });
});
