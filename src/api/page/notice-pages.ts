import type { Clock } from '../../domain/clock.ts';
import type { Failure } from '../../domain/errors.ts';
import type { HttpReply } from '../../pay/types.ts';
import { type FlatHeaders, headerRecord } from '../headers.ts';
import type { PaymentInfo } from '../payments.ts';
import { renderProblem } from '../problem.ts';
import type { Target } from '../request/target.ts';
import { escaped, HTML_TYPE, htmlPage } from './html-page.ts';

/** Challenges and problem documents as pages, for people who open an address in a browser. */
export interface NoticePages {
  /** The challenge of a path that is sold, with its headers, and the way to buy it. */
  sale(target: Target, challenge: HttpReply): HttpReply;
  /** The refusal of a path that is not there, with the nearest one that is. */
  unknown(failure: Failure): HttpReply;
}

interface NoticeParts {
  readonly payments: PaymentInfo;
  readonly clock: Clock;
  readonly baseUrl: string;
  /** Headers of every document of the page. */
  readonly guards: FlatHeaders;
}

/** The place of the page that sells this call, with the parameters as they were sent. */
function placeOf({ route, sent }: Target): string {
  const params = new URLSearchParams({ route: route.id });
  const known = (name: string): boolean => route.queryParameters.has(name) || route.pathParameters.has(name);
  for (const [name, value] of [...sent.path, ...sent.query]) if (known(name)) params.set(`p.${name}`, value);
  return `/#/buy?${params}`;
}

/** Makes the pages; for a service whose page is built, since they lead into it. */
export function createNoticePages({ payments, clock, baseUrl, guards }: NoticeParts): NoticePages {
  const asPage = (reply: HttpReply, title: string, body: string): HttpReply => ({
    status: reply.status,
    headers: { ...reply.headers, ...headerRecord(guards), 'Content-Type': HTML_TYPE },
    body: Buffer.from(htmlPage(title, body)),
  });
  return {
    sale(target, challenge) {
      const { route } = target;
      const usd = payments.prices.priceAt(route.id, clock.now())?.usd;
      const address = `${baseUrl}${target.resource()}`.replaceAll("'", '%27');
      const body = `<h1>This answer is sold</h1>
<p><code>${escaped(target.path)}</code>: ${escaped(route.summary)}</p>
<p>${usd === undefined ? '' : `It costs <strong>$${escaped(usd)}</strong>. `}No account and no key: a wallet signs the payment, and the answer comes. An error is never charged.</p>
<p><a class="action" href="${escaped(placeOf(target))}">Buy it on the page</a></p>
<h2>What it is</h2>
<p>${escaped(route.description)}</p>
<h2>For programs</h2>
<p>HTTP status 402, with the terms of x402 in the header <code>PAYMENT-REQUIRED</code> and as JSON for clients that do not ask for HTML.</p>
<pre>curl -i '${escaped(address)}'</pre>`;
      return asPage(challenge, '402 Payment Required', body);
    },
    unknown(failure) {
      const { instead } = failure;
      const body = `<h1>There is no such path</h1>
<p>${escaped(failure.detail)}</p>
${instead === undefined ? '' : `<p>Nearest: <a href="${escaped(instead)}"><code>${escaped(instead)}</code></a></p>\n`}<p><a class="action" href="/">The page of the service</a></p>`;
      return asPage(renderProblem(failure), '404 Not Found', body);
    },
  };
}
