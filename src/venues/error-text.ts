import { printable } from '../domain/printable.ts';

/** `code message` of a venue's error answer, short and safe whatever the fields hold. */
export function errorText(code: unknown, message: unknown): string {
  return printable(`${scalar(code)} ${scalar(message)}`.trim());
}

function scalar(x: unknown): string {
  return typeof x === 'string' || typeof x === 'number' ? String(x) : '';
}
