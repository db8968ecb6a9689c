import type { IncomingMessage } from 'node:http';
import type { Answering, HostRow } from './store.ts';

/** Frameworks send it with the requests that a page makes: which deployment the page came from. */
const deploymentHeader = 'x-deployment-id';
const deploymentParameter = 'dpl';
const deploymentCookie = '__mainstay_dpl';

/**
 * The deployment that the visitor's page came from, where that is another one than is live now: what the page asks for is
 * answered by its own version, as long as that was replaced not long ago. A cookie counts for what a page loads, never for
 * the page itself: the next one is today's.
 */
export function pinnedDeployment(
  host: HostRow,
  { headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>,
): Answering | null {
  if (host.recent.length === 0) return null;
  const wanted =
    headers[deploymentHeader] ?? parameter(url) ?? (isNavigation(headers) ? undefined : cookie(headers));
  return host.recent.find(({ deploymentId }) => deploymentId === wanted) ?? null;
}

function parameter(url: string): string | undefined {
  const at = url.indexOf('?');
  if (at === -1 || !url.includes(`${deploymentParameter}=`, at)) return undefined;
  return new URLSearchParams(url.slice(at + 1)).get(deploymentParameter) ?? undefined;
}

function cookie({ cookie: text = '' }: IncomingMessage['headers']): string | undefined {
  return new RegExp(`(?:^|;\\s*)${deploymentCookie}=([\\w-]+)`).exec(text)?.[1];
}

function isNavigation(headers: IncomingMessage['headers']): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? /\btext\/html\b/i.test(headers.accept ?? '') : mode === 'navigate';
}

/** Whether a name holds a hash of its content, as bundlers write it: `app-B7x2kQ9d.js`, `main.1a2b3c4d.css`. */
export function looksHashed(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, hash] = /[.-]([A-Za-z0-9_-]{8,64})\.[a-z0-9]{1,5}(?:\.map)?$/.exec(name) ?? [];
  return hash !== undefined && /\d/.test(hash) && /[A-Za-z]/.test(hash);
}
