import type { JSX } from 'preact';
import { Part } from '../../parts/part.tsx';
import { curlOf, programOf, Snippet } from '../../parts/tools.tsx';
import { linkTo } from '../../place.ts';

const CALL = '/v1/funding/current?symbol=BTC';

const agent = (): string => `${location.origin}/llms.txt           what is sold, for language models
${location.origin}/openapi.json       prices in x-payment-info
${location.origin}/.well-known/x402.json  the catalog`;

/** By hand, by a program, by an agent. */
export function WaysToBuy(): JSX.Element {
  return (
    <Part title="Three ways to buy">
      <div class="ways">
        <article>
          <h3>curl</h3>
          <p>The unpaid call answers 402 with its price and receiver. Repeat it with the signed payment.</p>
          <Snippet
            label="With curl"
            text={`${curlOf(CALL, '-i ')}\n${curlOf(CALL, '-H "X-PAYMENT: $SIGNED" ')}`}
          />
        </article>
        <article>
          <h3>A client</h3>
          <p>The official x402 clients pay by themselves, under a cap that you set.</p>
          <Snippet label="With a client" text={programOf(CALL)} />
        </article>
        <article>
          <h3>An agent</h3>
          <p>Everything is described for programs that have never seen it.</p>
          <Snippet label="For agents" text={agent()} />
        </article>
      </div>
      <p>
        Or <a href={linkTo('buy')}>buy an answer here</a>, with a wallet in this browser.
      </p>
    </Part>
  );
}
