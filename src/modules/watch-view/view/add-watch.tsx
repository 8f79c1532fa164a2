import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ask } from '../../../../web/data/answers.ts';
import { type KeptWatch, keepWatches, keptWatches } from './watch-store.ts';

const ID = /^w[0-9a-f]{24}$/;

/** The fault of what was typed; undefined where it may be a watch. */
function faultOf({ id, secret }: { readonly id: string; readonly secret: string }): string | undefined {
  if (!ID.test(id)) return 'An id is a w and 24 hexadecimal digits.';
  return secret === '' ? 'Its secret is needed, too.' : undefined;
}

/** Keeps a watch. A secret that does not read it never takes the place of one that is kept. @returns false where it would */
async function keep(watch: KeptWatch): Promise<boolean> {
  const kept = (await keptWatches()).find(({ id }) => id === watch.id);
  if (kept !== undefined && kept.secret !== watch.secret) {
    const headers = { 'perpmeter-secret': watch.secret };
    const read = await ask(`/v1/watches/${watch.id}`, undefined, undefined, headers);
    if (read.state !== 'ready') return false;
  }
  await keepWatches([watch]);
  return true;
}

/** Adds a watch by the id and the secret that its purchase returned, as one that a program has bought. */
export function AddWatch(): JSX.Element {
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const [said, setSaid] = useState('');
  const add = (event: Event): void => {
    event.preventDefault();
    const watch = { id: id.trim(), secret: secret.trim(), addedAt: Date.now() };
    const fault = faultOf(watch);
    if (fault !== undefined) {
      setSaid(fault);
      return;
    }
    void keep(watch).then(
      (isKept) => {
        if (!isKept)
          return setSaid('Not added: this secret does not read it now, and the one that is kept stays.');
        setId('');
        setSecret('');
        setSaid('Added.');
      },
      (cause) => setSaid(`Not added. ${String(cause)}`),
    );
  };
  return (
    <details>
      <summary>Add a watch by its id and secret</summary>
      <form class="bar" onSubmit={add}>
        <label>
          Id
          <input
            type="text"
            size={27}
            autocomplete="off"
            spellcheck={false}
            value={id}
            onInput={(event) => setId(event.currentTarget.value)}
          />
        </label>
        <label>
          Secret
          <input
            type="password"
            size={27}
            autocomplete="off"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Add</button>
      </form>
      <p role="status">{said}</p>
    </details>
  );
}
