import { readFileSync } from 'node:fs';
import { reasonOf } from '../../runtime/reason-of.ts';

/** A rule of the operator as its file has it: names and texts. */
export interface WrittenRule {
  readonly name: string;
  /** Line of the file at which it begins. */
  readonly line: number;
  readonly fields: ReadonlyMap<string, string>;
}

export type ReadRules =
  | { readonly ok: true; readonly rules: readonly WrittenRule[] }
  | { readonly ok: false; readonly errors: readonly string[] };

const FIELD = /^([a-z_]+):(?:\s+(.*))?$/;
const NAME = /^[a-z0-9][a-z0-9-]{0,47}$/;
const MOST_RULES = 1000;

/** The text of a scalar: quoted, or plain up to a comment. */
function scalarOf(written: string): string | undefined {
  const text = written.trim();
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')(?:\s+#.*)?$/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  if (/^["'[{&*!|>%@`]/.test(text)) return undefined;
  return text.replace(/(?:^|\s+)#.*$/, '').trim();
}

/**
 * Reads rules: the part of YAML that is a list of flat maps, `- name: …` and further fields below it, under `watches:`. Everything
 * else that YAML has is a fault of its line, not guessed.
 */
export function readRules(text: string): ReadRules {
  const errors: string[] = [];
  const rules: { name: string; line: number; fields: Map<string, string> }[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    const body = raw.trim();
    if (body === '' || body.startsWith('#') || /^watches:\s*(?:#.*)?$/.test(raw)) continue;
    const isFirst = body.startsWith('- ');
    const found = FIELD.exec(isFirst ? body.slice(2).trim() : body);
    const value = found === null ? undefined : scalarOf(found[2] ?? '');
    if (isFirst) rules.push({ name: '', line, fields: new Map() });
    const rule = rules.at(-1);
    if (found?.[1] === undefined || value === undefined || value === '' || rule === undefined)
      errors.push(`line ${line}: must be \`name: value\` of a rule that begins with \`- name: …\``);
    else if (rule.fields.has(found[1])) errors.push(`line ${line}: ${found[1]} is there twice`);
    else rule.fields.set(found[1], value);
  }
  const names = new Set<string>();
  for (const rule of rules) {
    rule.name = rule.fields.get('name') ?? '';
    rule.fields.delete('name');
    if (!NAME.test(rule.name))
      errors.push(`line ${rule.line}: name must be lower-case letters, digits and -, at most 48`);
    else if (names.has(rule.name)) errors.push(`line ${rule.line}: ${rule.name} is the name of two rules`);
    names.add(rule.name);
  }
  if (rules.length > MOST_RULES) errors.push(`there are more than ${MOST_RULES} rules`);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, rules };
}

/** Reads the rules of a file; a file that cannot be read is a fault as well. */
export function readRulesFile(path: string): ReadRules {
  try {
    return readRules(readFileSync(path, 'utf8'));
  } catch (cause) {
    return { ok: false, errors: [`it cannot be read: ${reasonOf(cause)}`] };
  }
}
