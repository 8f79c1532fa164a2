import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../test/cli/run-cli.ts';
import { BOOKS, MARKS, RecorderRig } from '../../../test/recorder/recorder-rig.ts';
import { segmentFile } from './recording-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpmeter-show-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const show = (...flags: readonly string[]) =>
  runCli(['recordings', 'show', '--record-dir', folder, ...flags]);

describe('recordings show', () => {
  beforeAll(async () => {
    const rig = await RecorderRig.open(folder);
    const { recorder } = rig;
    recorder.opened(BOOKS, 2);
    rig.frame('{"b":\n1}');
    rig.pass(1000);
    recorder.frame(MARKS, 1, Buffer.from([255, 0]), true);
    const call = { line: MARKS, base: 'rest', method: 'GET', path: '/v5/mark?apiKey=k', body: undefined };
    recorder.answer({ ...call, status: 200, payload: Buffer.from('{"ok":1}') });
    rig.pass(1000);
    recorder.closed(BOOKS, 2, 'silence');
    await recorder.stop();
  });

  it('as JSON: every record with its whole payload', async () => {
    const { code, stdout } = await show('--json');
    const found = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const head = { kind: 'books', venue: 'binance', stream: 'stream books', masked: false };
    expect(code).toBe(0);
    expect(found).toEqual([
      { ...head, type: 'opened', at: '2026-11-20T00:00:00.000Z', monoMs: 5, connection: 2, text: '' },
      expect.objectContaining({ type: 'text', text: '{"b":\n1}' }),
      expect.objectContaining({ type: 'binary', at: '2026-11-20T00:00:01.000Z', base64: '/wA=' }),
      expect.objectContaining({
        type: 'answer',
        masked: true,
        text: '{"ok":1}',
        request: { base: 'rest', method: 'GET', path: '/v5/mark?apiKey=***', status: 200 },
      }),
      expect.objectContaining({ type: 'disconnect', monoMs: 2005, text: 'silence' }),
    ]);
  });

  it('a venue, a kind and a time: these lines alone', async () => {
    const { stdout } = await show('--venue', 'okx', '--kind', 'tickers', '--from', '2026-11-20T00:00:01Z');
    expect(stdout.split('\n')).toEqual([
      '2026-11-20T00:00:01.000Z  okx tickers marks 1  binary  2 bytes',
      '2026-11-20T00:00:01.000Z  okx tickers marks 0  answer masked  200 GET /v5/mark?apiKey=***  {"ok":1}',
      '',
    ]);
    expect((await show('--to', '2026-11-20')).stdout).toBe('');
  });

  it.each([
    ['--venue', 'nowhere'],
    ['--venue', 'books'],
    ['--kind', 'trades'],
    ['--from', 'yesterday'],
  ])('%s %s: refused', async (flag, value) => {
    const { code, stderr } = await show(flag, value);
    expect([code, stderr]).toEqual([2, expect.stringContaining(flag)]);
  });

  it('a damaged segment: said, exit code 1', async () => {
    const file = join(folder, segmentFile(1));
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([bytes, Buffer.from('more')]));
    const { code, stderr } = await show();
    expect([code, stderr]).toEqual([1, expect.stringContaining('recordings verify')]);
  });
});
