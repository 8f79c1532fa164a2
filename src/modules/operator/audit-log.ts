import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEntry } from './schemas/records.ts';

const SHOWN = 200;

/** A file of the data folder that is only ever added to, one JSON object a line. */
export class AuditLog {
  readonly path: string;
  readonly #entries: AuditEntry[];
  /** True if the file may end within a line: text added to that line is lost with it. */
  #isCut: boolean;
  readonly #begun = new Map<string, Promise<AuditEntry>>();

  constructor(dataDir: string) {
    this.path = join(dataDir, 'operator-audit.jsonl');
    const text = existsSync(this.path) ? readFileSync(this.path, 'utf8') : '';
    this.#entries = readEntries(text);
    this.#isCut = text !== '' && !text.endsWith('\n');
  }

  /**
   * Carries out a request once, and adds its entry; the same request again gets the same entry. Rejects where the
   * disk does not take it.
   */
  async once(request: string, act: () => Promise<AuditEntry> | AuditEntry): Promise<AuditEntry> {
    const known = this.#entries.find((entry) => entry.request === request) ?? this.#begun.get(request);
    if (known !== undefined) return known;
    const begun = this.#carryOut(act);
    this.#begun.set(request, begun);
    return begun.finally(() => this.#begun.delete(request));
  }

  async #carryOut(act: () => Promise<AuditEntry> | AuditEntry): Promise<AuditEntry> {
    const entry = await act();
    const line = `${this.#isCut ? '\n' : ''}${JSON.stringify(entry)}\n`;
    // Until it is written whole; after a failure an empty line costs less than to look.
    this.#isCut = true;
    appendFileSync(this.path, line, { mode: 0o600, flush: true });
    this.#isCut = false;
    this.#entries.push(entry);
    return entry;
  }

  /** Newest first. */
  latest(): readonly AuditEntry[] {
    return this.#entries.slice(-SHOWN).reverse();
  }
}

/** A line that a crash cut short is left in the file and not shown. */
function readEntries(text: string): AuditEntry[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as AuditEntry];
    } catch {
      return [];
    }
  });
}
