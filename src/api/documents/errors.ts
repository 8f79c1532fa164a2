import Type, { type Static } from 'typebox';
import { ERRORS, fail, ok } from '../../domain/errors.ts';
import { boolean, integer, nullable, oneOf, text } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import example from '../../products/examples/error.json' with { type: 'json' };
import { HTML_TYPE, htmlPage } from '../page/html-page.ts';

type Code = keyof typeof ERRORS;
const CODES = Object.keys(ERRORS) as readonly Code[];

/** An entry of the error table as a client reads it. */
const entryOf = (code: Code): Entry => ({ code, type: `/errors/${code}`, ...ERRORS[code] });

type Entry = Static<typeof entry>;

const entry = Type.Object({
  code: text('What a problem document or a challenge has as code'),
  type: text('What it has as type: the path of this entry'),
  status: integer('HTTP status that it comes with', 400),
  title: text('The error in a few words'),
  cause: text('Why it comes'),
  remedy: text('What to do'),
  charged: nullable(boolean('Whether the request was charged; null: that is not known yet')),
});

const query = Type.Object({
  format: Type.Optional(
    oneOf(['json', 'html'], { description: 'Data or a page; without it, what Accept prefers' }),
  ),
});

/** As data, or as a page that shows it. */
const inFormat = <T>(format: string | undefined, json: T, page: (shown: T) => string) =>
  ok(
    format === 'html'
      ? { content: { bytes: Buffer.from(page(json)), contentType: HTML_TYPE } }
      : { content: { json } },
  );

const ABOUT = {
  access: 'free',
  tags: ['errors'],
  dependsOn: 'document',
  revisedAt: '2026-11-22T14:00:00.000Z',
  fileTypes: ['text/html'],
  hasPage: true,
} as const;

export const errorIndex = defineProduct({
  ...ABOUT,
  id: 'errors',
  path: '/errors',
  summary: 'All error codes',
  description:
    'Every error code that a problem document or a challenge may carry, with its HTTP status, its cause, what to do, and whether anything was charged. A page for browsers, JSON for everybody else.',
  query,
  answer: Type.Object({ errors: Type.Array(entry, { description: 'By HTTP status' }) }),
  compute: ({ format }) => {
    const errors = CODES.map(entryOf).sort((a, b) => a.status - b.status);
    return inFormat(format, { errors }, indexPage);
  },
});

export const errorByCode = defineProduct({
  ...ABOUT,
  id: 'error',
  path: '/errors/{code}',
  summary: 'One error code',
  description:
    'What an error code means: its HTTP status, its cause, what to do, and whether anything was charged. The type of every problem document, and the code of every refused payment, leads here. A page for browsers, JSON for everybody else.',
  params: Type.Object({ code: text('Code of the error') }),
  query,
  answer: entry,
  example: { request: '/errors/ambiguous_ticker', answer: example },
  find: ({ code }) => {
    const known = CODES.find((known) => known === code);
    if (known !== undefined) return ok(known);
    const shown = code.slice(0, 64);
    return fail({ code: 'unknown_route', detail: `${shown} is no error code; /errors lists them.` });
  },
  compute: (code, _ports, { format }) => inFormat(format, entryOf(code), errorPage),
});

const CHARGED = {
  no: 'Nothing was charged for the request.',
  unknown:
    'Not known yet: the payment is on its way. It pays for one answer at most, and the same payment fetches it.',
};

/** An error code as a short page. */
function errorPage({ code, title, status, cause, remedy, charged }: Entry): string {
  const body = `<h1>${title}</h1>
<p><code>${code}</code>, HTTP status ${status}</p>
<h2>Cause</h2>
<p>${cause}</p>
<h2>What to do</h2>
<p>${remedy}</p>
<h2>Charged</h2>
<p>${charged === null ? CHARGED.unknown : CHARGED.no}</p>
<p><a href="/errors">All error codes</a></p>`;
  return htmlPage(code, body);
}

/** All of them. */
function indexPage({ errors }: { readonly errors: readonly Entry[] }): string {
  const lines = errors.map(
    ({ code, type, title, status }) => `<li><a href="${type}">${code}</a> (${status}): ${title}</li>`,
  );
  return htmlPage('Error codes', `<h1>Error codes</h1>\n<ul>\n${lines.join('\n')}\n</ul>`);
}
