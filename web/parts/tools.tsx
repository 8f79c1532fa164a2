import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** Copies through the clipboard, or, where a page without TLS has none, through a selection. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.body.appendChild(document.createElement('textarea'));
    field.value = text;
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): JSX.Element {
  const [said, setSaid] = useState<string>();
  const onClick = async (): Promise<void> => {
    setSaid((await copy(text)) ? 'Copied' : 'Not copied: no clipboard here');
    setTimeout(() => setSaid(undefined), 2000);
  };
  return (
    <button type="button" class="quiet" onClick={() => void onClick()}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

/** A call as a command line; quotes of a shell cannot be left by what stands in an address. */
export function curlOf(path: string, options = ''): string {
  const address = new URL(path, location.origin).href.replaceAll("'", '%27');
  return `curl -s ${options}'${address}'`;
}

/** A call as a program with the official clients; quotes of its text cannot be left either. */
export const programOf = (
  path: string,
): string => `import { x402Client, wrapFetchWithPayment } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';

const client = new x402Client();
registerExactEvmScheme(client, { signer });   // viem account with USDC
const pay = wrapFetchWithPayment(fetch, client);
const answer = await pay(${JSON.stringify(new URL(path, location.origin).href)});`;

/** A call as the service's own command, which pays below a cap. */
export const commandOf = (path: string): string =>
  `perpmeter buy --url '${location.origin}' --max-usd 0.05 '${path.replaceAll("'", '%27')}'`;

/** Saves text or bytes as a file of the reader's. */
export function save(name: string, content: string | Uint8Array<ArrayBuffer>, type = 'text/csv'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Tools of every view: its table as a file, and the calls behind it as command lines. */
export function Tools({
  csv,
  name,
  paths,
}: {
  csv?: (() => string) | undefined;
  name: string;
  paths: readonly string[];
}): JSX.Element {
  return (
    <div class="tools">
      {csv !== undefined && (
        <button type="button" class="quiet" onClick={() => save(`${name}.csv`, csv())}>
          CSV
        </button>
      )}
      {paths.length > 0 && (
        <CopyButton label="Copy as curl" text={paths.map((path) => curlOf(path)).join('\n')} />
      )}
    </div>
  );
}

/** A command line or a piece of a program, with its copy. */
export function Snippet({ text, label }: { text: string; label: string }): JSX.Element {
  return (
    <section class="snippet" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} />
    </section>
  );
}
