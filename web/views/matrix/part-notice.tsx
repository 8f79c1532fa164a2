import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswers } from '../../data/answers.ts';
import { bundleOf } from '../../data/bundle.ts';
import { Age, ErrorNotice, Sale } from '../../parts/states.tsx';
import { usePlace } from '../../place.ts';
import { count } from '../../text/number.ts';
import type { MatrixSource } from './use-matrix.ts';

const calls = (number: number): string => `${count(number)} ${number === 1 ? 'call' : 'calls'}`;

/**
 * The free sample, or the pages of the table that were bought so far, and the way to all of it. It is one component for
 * both, so that a purchase of several pages is seen to its end.
 */
export function PartNotice({ matrix }: { matrix: MatrixSource }): JSX.Element {
  const { isSample, paths, missing, moment } = matrix;
  const [isAsked, setAsked] = useState(false);
  const place = usePlace();
  const answer = useAnswers<unknown>(isSample && isAsked ? paths : []);
  const sale = isSample ? answer : ({ state: 'unpaid', calls: missing } as const);
  return (
    <>
      <div class="notice warn">
        <p>
          {isSample ? (
            <>
              {moment === undefined ? (
                <>
                  <strong>A sample.</strong> Five assets on three venues each, a minute late and rounded,
                  until the service is old enough for the free matrix.
                </>
              ) : (
                <>
                  <strong>Free, and delayed.</strong> All assets and venues as they were <Age at={moment} />{' '}
                  ago, rounded.
                </>
              )}{' '}
              The table of now is {calls(paths.length)} of <code>/v1/funding/current</code>.{' '}
              {!isAsked && (
                <button type="button" onClick={() => setAsked(true)}>
                  Price of the whole table
                </button>
              )}
            </>
          ) : (
            <>
              <strong>A part of the table.</strong> {count(missing.length)} of its {calls(paths.length)} not
              bought: assets and venues are missing, and a spread may be wider than is shown.
            </>
          )}
        </p>
      </div>
      {isSample && sale.state === 'unpaid' ? (
        <Sale what="the whole table" calls={sale.calls} bundle={bundleOf(place)} />
      ) : (
        (isAsked || !isSample) &&
        sale.state !== 'ready' && (
          <ErrorNotice answer={sale} what={isSample ? 'the whole table' : 'the rest of the table'} />
        )
      )}
    </>
  );
}
