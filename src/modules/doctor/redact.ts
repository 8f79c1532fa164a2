import { isWire } from '../../domain/read.ts';

/** Longest list, text and whole that is kept of a payload. */
const MAX_ENTRIES = 20;
const MAX_CHARACTERS = 500;
const MAX_BYTES = 262_144;
const SECRET_KEY = /token|secret|signature|password|authorization|api_?key|listen_?key|cookie|session/i;
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;
const IPV6 = /\b(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}\b|\b(?:[0-9a-f]{1,4}:){2,6}:[0-9a-f]{1,4}\b/gi;
const LONG_TOKEN = /\b[A-Za-z0-9_-]{64,}={0,2}/g;

/** A text without network addresses (venues repeat a client's own) and without what looks like a token. */
export function redactText(text: string): string {
  const shown = text.replace(IPV4, '<address>').replace(IPV6, '<address>').replace(LONG_TOKEN, '<token>');
  return shown.length > MAX_CHARACTERS
    ? `${shown.slice(0, MAX_CHARACTERS)}… (${text.length} characters)`
    : shown;
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) {
    const kept = value.slice(0, MAX_ENTRIES).map(shorten);
    return value.length > MAX_ENTRIES ? [...kept, `… ${value.length - MAX_ENTRIES} more`] : kept;
  }
  if (!isWire(value)) return value;
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, MAX_ENTRIES * 5)
    .map(([key, inner]) => [key, SECRET_KEY.test(key) && inner !== null ? '<redacted>' : shorten(inner)]);
  if (entries.length > kept.length) kept.push(['…', `${entries.length - kept.length} more`]);
  return Object.fromEntries(kept);
}

/** A payload as text that may be shown to others: the first rows of every list, no addresses, no tokens. */
export function redactPayload(payload: unknown): string {
  return JSON.stringify(shorten(payload), null, 1)?.slice(0, MAX_BYTES) ?? 'undefined';
}
