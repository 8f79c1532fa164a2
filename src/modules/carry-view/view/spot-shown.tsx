import type { ComponentChildren, JSX } from 'preact';
import type { Answer, Ready } from '../../../../web/data/answer.ts';
import { Shown } from '../../../../web/parts/states.tsx';

interface SpotShownProps<Body> {
  readonly answer: Answer<Body>;
  readonly what: string;
  readonly children: (body: Body, ready: Ready<Body>) => ComponentChildren;
}

const NOT_FOUND = 404;
/** The title of an answer to a path that the service does not have. */
const NO_PATH = 'No such path';

/** Shows an answer about spot. A service that reads no spot markets has no such path, and says so. */
export function SpotShown<Body>({ answer, what, children }: SpotShownProps<Body>): JSX.Element {
  if (answer.state === 'failed' && answer.status === NOT_FOUND && answer.title === NO_PATH)
    return <p class="notice">This service reads no spot markets: {what} cannot be shown.</p>;
  return (
    <Shown answer={answer} what={what}>
      {children}
    </Shown>
  );
}
