import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FlatHeaders } from '../headers.ts';
import { send } from '../http/reply.ts';
import { acceptsCoding } from '../request/encoding.ts';
import { HTML_TYPE, STYLE_PATH } from './html-page.ts';
import type { PageFile, PageFiles } from './page-files.ts';

/** The page asks for payments on the public port, and for the operator's token on the other. */
export type PagePort = 'public' | 'operator';

/** The page says so at once if its numbers are no market's. */
type PageData = 'live' | 'simulated';

const FILES = '/web/';
const PORT_MARKER = '<meta name="perpmeter-port" content="public">';
const DATA_MARKER = '<meta name="perpmeter-data" content="live">';

/** Nothing foreign is loaded, nothing inline is run, nobody may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const GUARDS: FlatHeaders = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Content-Security-Policy', POLICY],
  ...['X-Frame-Options', 'DENY'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
];

const DOCUMENT: FlatHeaders = ['Cache-Control', 'no-cache', 'Vary', 'Accept'];
const FOR_EVER: FlatHeaders = [
  'Cache-Control',
  'public, max-age=31536000, immutable',
  'Vary',
  'Accept-Encoding',
];

/** A file under a name that stays while its content changes. */
const A_WHILE: FlatHeaders = ['Cache-Control', 'public, max-age=300', 'Vary', 'Accept-Encoding'];

/** Takes a request for the page; returns false otherwise, so that the next handler may take it. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** True if a client asks for a page to look at: programs that accept anything get JSON. */
const wantsPage = (accept: string | undefined): boolean => /(?:^|[\s,])text\/html\b/i.test(accept ?? '');

/** Paths that hold nothing but the page's own code. */
export const isPagePath = (path: string): boolean => path === '/' || path.startsWith(FILES);

/** Serves the page at `/` to browsers, and its files under `/web/`. */
export function createPage({ document, files }: PageFiles, port: PagePort, data: PageData): PageHandler {
  const body = Buffer.from(
    document
      .replace(PORT_MARKER, PORT_MARKER.replace('public', port))
      .replace(DATA_MARKER, DATA_MARKER.replace('live', data)),
  );
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const type = ['Content-Type', HTML_TYPE];
  const style = /href="\/web\/([^"]+\.css)"/.exec(document)?.[1];
  return (request, response) => {
    const { method, headers, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const path = url.split('?', 1)[0] ?? '';
    if (path === '/' && wantsPage(headers.accept)) {
      const shared = [...GUARDS, ...DOCUMENT, 'ETag', etag];
      if (headers['if-none-match'] === etag) send(response, 304, shared);
      else send(response, 200, [...type, ...shared, 'Content-Length', String(body.length)], body);
      return true;
    }
    const isStyle = path === STYLE_PATH;
    const name = isStyle ? style : path.startsWith(FILES) ? path.slice(FILES.length) : undefined;
    const file = name === undefined ? undefined : files.get(name);
    if (file === undefined) return false;
    sendFile(file, isStyle ? A_WHILE : FOR_EVER, headers['accept-encoding']?.toString(), response);
    return true;
  };
}

function sendFile(
  { type, plain, br, gzip }: PageFile,
  caching: FlatHeaders,
  accepted: string | undefined,
  to: ServerResponse,
): void {
  const coding =
    br !== undefined && acceptsCoding(accepted, 'br')
      ? (['br', br] as const)
      : gzip !== undefined && acceptsCoding(accepted, 'gzip')
        ? (['gzip', gzip] as const)
        : undefined;
  const body = coding?.[1] ?? plain;
  const encoding = coding === undefined ? [] : ['Content-Encoding', coding[0]];
  const length = ['Content-Length', String(body.length)];
  send(to, 200, ['Content-Type', type, ...GUARDS, ...caching, ...encoding, ...length], body);
}
