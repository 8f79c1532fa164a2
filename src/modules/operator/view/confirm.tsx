import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { send } from '../../../../web/data/answers.ts';
import type { AuditEntry } from '../schemas/records.ts';

/** An action as the service takes it, but for its reason and name. */
export type Action = Readonly<Record<string, string | number | readonly string[]>>;

interface ConfirmProps {
  readonly path: string;
  readonly action: Action;
  /** A description of the action. */
  readonly children: ComponentChildren;
  /** The message after the action. */
  readonly done: (entry: AuditEntry) => string;
  readonly close: () => void;
}

/** Nothing is done before it was read, given a reason, and confirmed. */
export function Confirm({ path, action, children, done, close }: ConfirmProps): JSX.Element {
  const [reason, setReason] = useState('');
  const [said, setSaid] = useState<{ readonly text: string; readonly isDone: boolean }>();
  const [request] = useState(() => [...crypto.getRandomValues(new Uint32Array(4))].join('-'));
  const confirm = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answer = await send<AuditEntry>(path, { ...action, reason, request });
    if (answer.state === 'ready') setSaid({ text: done(answer.body), isDone: true });
    else if (answer.state === 'failed') {
      setSaid({ text: `${answer.title}: ${answer.detail}`, isDone: false });
    } else setSaid({ text: 'No answer. Confirm again: it is done once at most.', isDone: false });
  };
  return (
    <form class="notice warn" aria-label="Confirm" onSubmit={(event) => void confirm(event)}>
      <p>{children}</p>
      {said !== undefined && <p role="status">{said.text}</p>}
      <p class="tools">
        {said?.isDone !== true && (
          <>
            <label>
              Reason{' '}
              <input
                required
                maxLength={200}
                value={reason}
                onInput={(event) => setReason(event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="primary" disabled={reason.trim() === ''}>
              Confirm
            </button>
          </>
        )}
        <button type="button" onClick={close}>
          {said?.isDone === true ? 'Close' : 'Leave it'}
        </button>
      </p>
    </form>
  );
}
