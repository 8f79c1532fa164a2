import type { JSX } from 'preact';

/** An unknown value, with the service's reason in its place. */
export function Unknown({ why }: { why: string | null | undefined }): JSX.Element {
  return <span class="unknown">{(why ?? 'unknown').replaceAll('_', ' ')}</span>;
}
