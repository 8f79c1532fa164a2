import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The reason for which no certificates can be made here; undefined = they can. */
export function opensslObstacle(): string | undefined {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'openssl is not installed';
  }
}

/** An authority of its own with the certificate of one server on loopback, as files. */
export interface Authority {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  remove(): void;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
const TWO_DAYS = ['-days', '2'];

/**
 * @param owner of the key, where a server runs as another user
 * @param name of the server
 */
export function makeAuthority(owner?: string, name = 'localhost'): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-authority-'));
  chmodSync(folder, 0o755);
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'ignore' });
  const key = (name: string): string[] => [...NEW_KEY, '-keyout', at(name)];
  const root = ['-out', at('ca.pem'), ...TWO_DAYS, '-subj', '/CN=authority of a test'];
  openssl('req', '-x509', ...key('ca.key'), ...root);
  openssl('req', ...key('server.key'), '-out', at('server.csr'), '-subj', `/CN=${name}`);
  writeFileSync(at('names'), `subjectAltName=DNS:${name}`);
  const signer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', ...TWO_DAYS];
  const signed = [...signer, '-extfile', at('names'), '-out', at('server.pem')];
  openssl('x509', '-req', '-in', at('server.csr'), ...signed);
  chmodSync(at('server.key'), 0o600);
  if (owner !== undefined) execFileSync('chown', [owner, at('server.key')]);
  return {
    authority: at('ca.pem'),
    certificate: at('server.pem'),
    key: at('server.key'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
