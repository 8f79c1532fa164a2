import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { postgresObstacle, sharedServer } from '../pay/postgres-server.ts';
import { runCli } from './run-cli.ts';

/** Runs a script as docs/one-to-several.md has it; psql's exit code. */
async function psql(url: string, script: string): Promise<number> {
  const child = spawn('psql', ['--quiet', url], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end(script);
  const [code] = await once(child, 'exit');
  return Number(code);
}

it.skipIf(postgresObstacle() !== undefined)(
  'the script of the tables: ends at its first error, and with it psql',
  async () => {
    const server = await sharedServer();
    const url = await server.database('scripted');
    const script = async (role: string) => (await runCli(['ledger', 'schema', '--role', role])).stdout;
    const after = 'CREATE TABLE after_the_error ();';
    expect(await psql(url, (await script('nobody_such')) + after)).toBe(3);
    expect(await server.query('scripted', "SELECT to_regclass('after_the_error') AS made")).toEqual([
      { made: null },
    ]);
    expect(await psql(url, (await script('seller')) + after)).toBe(0);
  },
);
