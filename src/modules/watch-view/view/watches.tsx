import type { JSX } from 'preact';
import { usePlace } from '../../../../web/place.ts';
import { MakeWatch } from './make-watch.tsx';
import { MyWatches } from './my-watches.tsx';
import { OneWatch } from './one-watch.tsx';

/** Makes watches, and follows those of this browser. */
export function Watches(): JSX.Element {
  const { params } = usePlace();
  const id = params.get('watch');
  const mine = <MyWatches key="mine" />;
  return (
    <>
      <div class="head">
        <h1>Watches</h1>
      </div>
      <div class="stack">
        {id !== null && <OneWatch key={id} id={id} />}
        {/* A reader that comes with a condition makes a watch first. */}
        {!params.has('p.kind') && mine}
        <MakeWatch key="make" />
        {params.has('p.kind') && mine}
      </div>
    </>
  );
}
