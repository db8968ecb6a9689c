import type { IncomingMessage } from 'node:http';
import type { PackagedFunction, PublishedFile } from '#areas/deployments/service.ts';
import type { Client } from '#http/client.ts';
import type { Tickets } from './access/tickets.ts';
import type { Onward } from './forward/onward.ts';
import { decide } from './routes/decide.ts';
import type { Decision } from './routes/route.ts';
import type { Host, Site, Sites } from './sites.ts';
import { looksHashed, pinnedDeployment } from './skew.ts';

export type Live = Host & { kind: 'live' };

/** The name of the row of a hostname, in the form of `hostName`: the label below our domain, or the whole name of a domain of its owner's. */
export function nameOf(hostname: string, domain: string): string {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name.includes('.') ? name : '';
}

export interface Chosen {
  live: Live;
  site: Site;
  decision: Decision;
}

/** What answers: the deployment that the visitor's page came from, or the one that is live, and what its routes say. */
export async function choose(
  sites: Sites,
  host: Live,
  request: IncomingMessage,
  { method, path, query }: { method: string; path: string; query: string },
): Promise<Chosen> {
  const pinned = pinnedDeployment(host, request);
  const live = pinned ? { ...host, ...pinned } : host;
  const site = await sites.site(live.artefact);
  const decision = decide(site.routes, site.published, {
    ...{ method, path, query, host: request.headers.host ?? '' },
    header: (name) => headerOf(request, name),
  });
  if (decision.kind === 'file' && decision.path === path) return { live, site, decision };
  return (await replacedFile(sites, host, { method, path })) ?? { live, site, decision };
}

/** A file with a hash in its name that only a deployment of before has: pages of that one still ask for it. */
async function replacedFile(
  sites: Sites,
  host: Live,
  { method, path }: { method: string; path: string },
): Promise<Chosen | null> {
  if (host.recent.length === 0 || (method !== 'GET' && method !== 'HEAD') || !path.includes('.')) return null;
  const isHashed = looksHashed(path);
  for (const recent of host.recent) {
    const site = await sites.site(recent.artefact);
    if (!site.published.hasFile(path)) continue;
    const file = site.manifest.files[path] as PublishedFile;
    if (!file.immutable && !isHashed) continue;
    return { live: { ...host, ...recent }, site, decision: { kind: 'file', path, headers: {} } };
  }
  return null;
}

/** Several lines of one header count as one. */
/** By a name that a route of an application asks for, which may be `constructor`. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value.join(', ') : value;
}

export function functionOf({ manifest }: Site, name: string): PackagedFunction {
  return manifest.functions.find((one) => one.name === name) as PackagedFunction;
}

/** The path and query that a function sees: the visitor's own path, with what the rule makes of the query. */
export function functionTarget(request: IncomingMessage, decision: Decision & { kind: 'function' }): string {
  const [path = '/'] = (request.url ?? '/').split('?', 1);
  return decision.query === '' ? path : `${path}?${decision.query}`;
}

export function functionHeaders(
  decision: Decision & { kind: 'function' },
  requestId: string,
): NonNullable<Onward['headers']> {
  return { 'x-mainstay-matched-path': encodeURI(decision.matchedPath), 'x-request-id': requestId };
}

export const stickyParameter = 'mainstay-sticky';

/** The key by which the request is to reach the same process each time; undefined for most. */
export function stickyKey(
  tickets: Tickets,
  { deploymentId }: Live,
  { url = '' }: IncomingMessage,
  { method, path }: { method: string; path: string },
): string | undefined {
  const at = url.indexOf('?');
  if (at === -1 || !url.includes(stickyParameter, at)) return undefined;
  const text = new URLSearchParams(url.slice(at + 1)).get(stickyParameter) ?? undefined;
  const ticket = tickets.open('sticky', text);
  const fits = ticket?.deploymentId === deploymentId && ticket.method === method && ticket.path === path;
  return fits ? ticket.key : undefined;
}

export function onwardOf(
  { address, scheme }: Client,
  path: string,
  seconds: number,
  decision: Pick<Decision, 'headers' | 'kind'> & { status?: number },
): Onward {
  return {
    ...{ address, scheme, path, answerHeaders: decision.headers },
    status: decision.kind === 'missing' ? undefined : decision.status,
    deadline: AbortSignal.timeout(seconds * 1000),
  };
}
