import { refusal, StoreRefused } from '../../storage/store-folder.ts';
import { refusalCode, type Unchecked } from './connection.ts';
import { CREATE_TABLES, SCHEMA_VERSION } from './schema.ts';

/** SQLSTATE: undefined table, undefined schema. */
const MISSING = ['42P01', '3F000'];
const FORBIDDEN = '42501';

/**
 * Makes the tables where they are missing, and looks whether they and the server can be used.
 *
 * @throws StoreRefused where they cannot
 */
export async function ensureSchema(server: Unchecked): Promise<void> {
  const [settings] = await server.read("SELECT current_setting('fsync') AS fsync");
  if (settings?.fsync !== 'on') {
    throw new StoreRefused('the server runs with fsync off: what it says is written may be lost');
  }
  const version = (await storedVersion(server)) ?? (await created(server));
  if (version !== SCHEMA_VERSION) {
    throw new StoreRefused(refusal('the payment ledger on PostgreSQL', version, SCHEMA_VERSION));
  }
}

/** Undefined where there are no tables. */
async function storedVersion(server: Unchecked): Promise<number | undefined> {
  try {
    const [row] = await server.read('SELECT version FROM perpmeter.ledger_format');
    return Number(row?.version);
  } catch (cause) {
    const code = refusalCode(cause) ?? '';
    if (MISSING.includes(code)) return undefined;
    if (code === FORBIDDEN)
      throw new StoreRefused('its role may not read the tables (docs/scale.md)', { cause });
    throw cause;
  }
}

async function created(server: Unchecked): Promise<number> {
  try {
    await server.run(CREATE_TABLES);
  } catch (cause) {
    if (refusalCode(cause) !== FORBIDDEN) throw cause;
    const how = 'there are no tables, and its role may not make them: `perpmeter ledger schema` prints them';
    throw new StoreRefused(how, { cause });
  }
  return Number((await storedVersion(server)) ?? Number.NaN);
}
