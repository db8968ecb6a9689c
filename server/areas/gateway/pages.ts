import type { ServerResponse } from 'node:http';

/** What a visitor sees where an application has nothing to say. No script, no request to anywhere. */
export interface Page {
  status: number;
  title: string;
  text: string;
  retryAfterSeconds?: number;
}

export const pages = {
  unknownHost: {
    status: 404,
    title: 'No application here',
    text: 'There is no application at this address. Check the spelling.',
  },
  notLive: {
    status: 404,
    title: 'Nothing deployed yet',
    text: 'The application at this address has no active deployment yet.',
  },
  notFound: { status: 404, title: 'Page not found', text: 'This application has no page at this address.' },
  badRequest: {
    status: 400,
    title: 'Bad request',
    text: 'The address or the headers of the request are not valid.',
  },
  methodNotAllowed: {
    status: 405,
    title: 'Method not allowed',
    text: 'This address accepts only GET and HEAD requests.',
  },
  crashed: {
    status: 502,
    title: 'The application is not responding',
    text: 'Its server exited or could not be started. The owner can find the reason in the runtime logs.',
  },
  unreachable: {
    status: 502,
    title: 'Bad gateway',
    text: 'The server behind this address could not be reached.',
  },
  overloaded: {
    status: 503,
    title: 'Too many requests',
    text: 'The application is busy. Try again in a moment.',
    retryAfterSeconds: 5,
  },
  noRunner: {
    status: 503,
    title: 'Functions are not available',
    text: 'This instance serves static files only: no runner is configured.',
    retryAfterSeconds: 60,
  },
  timedOut: {
    status: 504,
    title: 'The application timed out',
    text: 'It did not respond within its time limit.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    text: 'A dependency of this server is unavailable. Try again in a moment.',
    retryAfterSeconds: 5,
  },
} as const satisfies Record<string, Page>;

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;' +
  'place-items:center;background:Canvas;color:CanvasText}main{max-width:32rem;padding:2rem}h1{font-size:1.25rem;margin:0 0 .5rem}' +
  'p{margin:0;color:color-mix(in srgb,CanvasText 80%,Canvas)}small{display:block;margin-top:1.5rem;' +
  'color:color-mix(in srgb,CanvasText 65%,Canvas);font-variant-numeric:tabular-nums}' +
  '.action{margin-top:1.25rem}a,button{display:inline-block;font:inherit;font-weight:500;padding:.5rem 1rem;border-radius:.5rem;border:0;' +
  'background:CanvasText;color:Canvas;text-decoration:none;cursor:pointer}form{display:grid;gap:.5rem;margin-top:1.5rem;justify-items:start}' +
  'input{font:inherit;padding:.5rem .75rem;border-radius:.5rem;border:1px solid GrayText;width:100%;box-sizing:border-box}[role=alert]{margin-top:1.25rem;color:#c22}';

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function sendPage(response: ServerResponse, page: Page, requestId: string): void {
  const { status, title, text, retryAfterSeconds } = page;
  const headers = retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {};
  sendHtml(response, { status, title, body: `<p>${text}</p>`, requestId, headers });
}

/** `title` and `body` are HTML already. */
export function sendHtml(
  response: ServerResponse,
  page: {
    status: number;
    title: string;
    body: string;
    requestId: string;
    headers: Readonly<Record<string, string>>;
  },
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, title, body, requestId, headers } = page;
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${title}</title><style>${style}</style><main><h1>${title}</h1>${body}` +
    `<small>${status} · ${requestId}</small></main></html>`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : html);
}
