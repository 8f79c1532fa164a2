import { refusal, StoreOpenError } from '../../../storage/store-folder.ts';
import { INSUFFICIENT_PRIVILEGE, refusalCode, type UncheckedServer } from './connection.ts';

/** SQLSTATE: undefined table, undefined schema. */
const MISSING = ['42P01', '3F000'];

/** Tables of one kind, and what says their version. */
export interface Schema {
  /** As it is called in messages. */
  readonly name: string;
  readonly version: number;
  readonly readVersion: string;
  /** Makes what is missing, and brings older versions to this one; changes nothing else that is there. */
  readonly create: string;
}

/**
 * Makes the tables where they are missing, upgrades those of an older version, and looks whether they and the server can be used: rejects with `StoreOpenError`
 * where they cannot.
 */
export function ensureSchema(schema: Schema): (server: UncheckedServer) => Promise<void> {
  return async (server) => {
    const [settings] = await server.read("SELECT current_setting('fsync') AS fsync");
    if (settings?.fsync !== 'on') {
      throw new StoreOpenError('the server runs with fsync off: what it says is written may be lost');
    }
    const found = await storedVersion(server, schema);
    const isOld = found === undefined || found < schema.version;
    const version = isOld ? await created(server, schema, found) : found;
    if (version !== schema.version) throw new StoreOpenError(refusal(schema.name, version, schema.version));
  };
}

/** Undefined where there are no tables. */
async function storedVersion(server: UncheckedServer, { readVersion }: Schema): Promise<number | undefined> {
  try {
    const [row] = await server.read(readVersion);
    return Number(row?.version);
  } catch (cause) {
    const code = refusalCode(cause) ?? '';
    if (MISSING.includes(code)) return undefined;
    if (code === INSUFFICIENT_PRIVILEGE)
      throw new StoreOpenError('its role may not read the tables (docs/shared-ledger.md)', { cause });
    throw cause;
  }
}

/** @param found the version that is there; undefined: none */
async function created(server: UncheckedServer, schema: Schema, found: number | undefined): Promise<number> {
  try {
    await server.run(schema.create);
  } catch (cause) {
    if (refusalCode(cause) !== INSUFFICIENT_PRIVILEGE) throw cause;
    const lack = found === undefined ? 'are missing' : `are of version ${found}, older than this build`;
    const how = `tables ${lack}, and its role may not make them: \`perpmeter ledger schema\` prints them`;
    throw new StoreOpenError(how, { cause });
  }
  return Number((await storedVersion(server, schema)) ?? Number.NaN);
}
