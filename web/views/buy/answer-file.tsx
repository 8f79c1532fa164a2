import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { FileAnswer } from '../../data/file-answer.ts';
import { Snippet, save } from '../../parts/tools.tsx';
import { count } from '../../text/number.ts';

const MAX_LINES = 200;

/** An answer that is a file: saved byte for byte, and shown where it is text. */
export function AnswerFile({ file }: { file: FileAnswer }): JSX.Element {
  const { name, type, bytes } = file;
  const lines = useMemo(
    () => (type.startsWith('text/') ? new TextDecoder().decode(bytes).trimEnd().split('\n') : []),
    [file],
  );
  return (
    <>
      <p>
        <button type="button" class="primary" onClick={() => save(name, bytes, type)}>
          Save {name}
        </button>{' '}
        <span class="fine">
          {count(bytes.length)} bytes, {type}
        </span>
      </p>
      {lines.length > 0 && <Snippet label="The file" text={lines.slice(0, MAX_LINES).join('\n')} />}
      {lines.length > MAX_LINES && (
        <p class="fine">
          The first {MAX_LINES} of {count(lines.length)} lines; the file has all.
        </p>
      )}
    </>
  );
}
