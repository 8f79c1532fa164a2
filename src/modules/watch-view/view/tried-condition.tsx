import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { WatchCheckAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Age, Shown } from '../../../../web/parts/states.tsx';
import { conditionWords, judgedWords, levelWords } from './condition-words.ts';

const EVERY_MS = 5000;

/** A condition as the service understands it, and whether it holds now. A changed one is tried by a click, not while it is typed. */
export function TriedCondition({ path }: { readonly path: string }): JSX.Element {
  const [tried, setTried] = useState(path);
  if (tried !== path)
    return (
      <p>
        <button type="button" onClick={() => setTried(path)}>
          Try it
        </button>
      </p>
    );
  return <Tried path={tried} />;
}

function Tried({ path }: { readonly path: string }): JSX.Element {
  return (
    <Shown answer={useAnswer<WatchCheckAnswer>(path, EVERY_MS)} what="the condition">
      {({ condition, state }) => (
        <section class="notice" aria-label="The condition as it is understood">
          <p>
            <strong>{conditionWords(condition)}</strong>
          </p>
          <dl class="terms">
            <dt>Asset</dt>
            <dd>{condition.asset ?? 'any'}</dd>
            {condition.reset !== undefined && (
              <>
                <dt>Fires again after</dt>
                <dd>{levelWords(condition, condition.reset)}</dd>
              </>
            )}
            <dt>Now</dt>
            <dd>
              {judgedWords(condition, state.values)}
              {state.rows_at !== null && (
                <>
                  {' '}
                  <small>
                    <Age at={state.rows_at} /> old
                  </small>
                </>
              )}
            </dd>
            <dt>Holds</dt>
            <dd>
              <span role="status">{holdsWords(state)}</span>
            </dd>
          </dl>
        </section>
      )}
    </Shown>
  );
}

function holdsWords({ holds, reason }: WatchCheckAnswer['state']): string {
  if (holds === null) return `cannot be known now: ${reason ?? 'no reason was given'}`;
  return holds ? 'holds now: it fires at once' : 'does not hold now';
}
