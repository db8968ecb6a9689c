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
    text: 'No application answers at this address. Check the spelling, or ask whoever gave it to you.',
  },
  notLive: {
    status: 404,
    title: 'Nothing deployed yet',
    text: 'This address belongs to an application that has no active deployment. Deploy it, and it answers here.',
  },
  notFound: { status: 404, title: 'Page not found', text: 'This application has no page at this address.' },
  badRequest: {
    status: 400,
    title: 'Bad request',
    text: 'The address or the headers of the request are not valid.',
  },
  methodNotAllowed: { status: 405, title: 'Method not allowed', text: 'This address can only be read.' },
  crashed: {
    status: 502,
    title: 'The application does not answer',
    text: 'Its server ended or could not be started. The owner finds the reason in the log of the deployment.',
  },
  unreachable: {
    status: 502,
    title: 'Bad gateway',
    text: 'The server behind this address could not be reached.',
  },
  overloaded: {
    status: 503,
    title: 'Too many requests at once',
    text: 'The application is busy. Try again in a moment.',
    retryAfterSeconds: 5,
  },
  noRunner: {
    status: 503,
    title: 'Functions are not available',
    text: 'This instance serves static files only: the operator has set up no runner.',
    retryAfterSeconds: 60,
  },
  timedOut: {
    status: 504,
    title: 'The application took too long',
    text: 'It did not answer within its time limit.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    text: 'Something that this server depends on is away. Try again in a moment.',
    retryAfterSeconds: 5,
  },
} as const satisfies Record<string, Page>;

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;' +
  'place-items:center;background:Canvas;color:CanvasText}main{max-width:32rem;padding:2rem}h1{font-size:1.25rem;margin:0 0 .5rem}' +
  'p{margin:0;opacity:.8}small{display:block;margin-top:1.5rem;opacity:.6;font-variant-numeric:tabular-nums}';

export function sendPage(response: ServerResponse, page: Page, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${page.title}</title><style>${style}</style><main><h1>${page.title}</h1><p>${page.text}</p>` +
    `<small>${page.status} · ${requestId}</small></main></html>`;
  if (page.retryAfterSeconds) response.setHeader('retry-after', page.retryAfterSeconds);
  response.writeHead(page.status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
