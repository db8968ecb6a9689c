import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Manifest } from '#areas/deployments/service.ts';
import { imagePaths, responseHeader } from '#core/compatibility.ts';
import type { Outgoing } from '#core/outgoing.ts';
import type { CacheStatus } from '#core/request-log.ts';
import type { Client } from '#http/client.ts';
import type { AnswerCache } from '../cache/answer.ts';
import type { Files } from '../files.ts';
import { type Collected, collectFromUrl } from '../forward/collect.ts';
import type { Observer } from '../forward/onward.ts';
import { sendPage } from '../pages.ts';
import { normalizePath } from '../routes/pathname.ts';
import type { Site } from '../sites.ts';
import { onwardOf } from '../target.ts';
import { allowsSource, type ImagePolicy, negotiated, policyOf, problemOf } from './policy.ts';

/** What a request for an image comes to. */
export type ImageTarget =
  | { kind: 'redirect'; location: string }
  | { kind: 'image'; source: string; query: URLSearchParams }
  | { kind: 'problem'; text: string };

const nextPath = '/_next/image';
const fetchSeconds = 30;

/** Null for requests that are for no image. `target` is the path as it came: the source in it is one encoded segment. */
export function imageTarget(
  target: string,
  query: string,
  headers: IncomingHttpHeaders,
  manifest: Manifest,
): ImageTarget | null {
  // Every request comes by here.
  if (!target.startsWith('/_')) return null;
  const parameters = new URLSearchParams(query);
  // A Next server that states no policy here makes its images itself.
  if (target === nextPath && (manifest.images !== null || manifest.functions.length === 0))
    return fromNext(parameters, headers, policyOf(manifest.images));
  const prefix = Object.values(imagePaths).find((one) => target.startsWith(one));
  if (prefix === undefined) return null;
  const [encoded = '', name, ...rest] = target.slice(prefix.length).split('/');
  if (name === undefined || name === '' || rest.length > 0)
    return { kind: 'problem', text: 'The address of an image is its encoded source and a file name.' };
  const source = decodeURIComponent(encoded);
  return { kind: 'image', source, query: parameters };
}

function fromNext(query: URLSearchParams, headers: IncomingHttpHeaders, policy: ImagePolicy): ImageTarget {
  const [url, width, quality] = [query.get('url'), query.get('w'), query.get('q')];
  if (!url || !width) return { kind: 'problem', text: 'url and w are missing.' };
  const wanted = new URLSearchParams({ width, ...(quality ? { quality } : {}) });
  const format = negotiated(policy, headers.accept);
  if (format) wanted.set('format', format);
  const name = url.split(/[?#]/, 1)[0]?.split('/').at(-1) || 'image';
  const location = `${imagePaths.existing}${encodeURIComponent(url)}/${encodeURIComponent(name)}?${wanted}`;
  return { kind: 'redirect', location };
}

export interface ImageDeps {
  files: Files;
  outgoing: Outgoing;
  answers: AnswerCache;
  client: Client;
  requestId: string;
}

/** The tags that a deployment's images are purged by. */
export function imageTags(deploymentId: string, source: string | null): string[] {
  const all = `image:${deploymentId}`;
  if (source === null) return [all];
  return [all, `${all}:${createHash('sha256').update(source).digest('hex').slice(0, 32)}`];
}

interface Sent {
  bytes: number;
  cache: CacheStatus | undefined;
}

/** Serves the original of an image, within the policy of the deployment. */
export async function sendImage(
  deps: ImageDeps,
  request: IncomingMessage,
  response: ServerResponse,
  image: ImageTarget,
  { site, place }: { site: Site; place: { environmentId: string; deploymentId: string } },
): Promise<Sent> {
  const nothing: Sent = { bytes: 0, cache: undefined };
  const refuse = (status: 400 | 404 | 405, title: string, text: string): Sent => {
    sendPage(response, { status, title, text }, deps.requestId);
    return nothing;
  };
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(405, 'Method not allowed', 'An image can only be read.');
  if (image.kind === 'redirect') {
    const headers = { location: image.location, vary: 'accept', 'content-length': 0 };
    response.writeHead(308, { ...headers, 'cache-control': 'public, max-age=0, must-revalidate' }).end();
    return nothing;
  }
  const policy = policyOf(site.manifest.images);
  const problem = image.kind === 'problem' ? image.text : outside(policy, image);
  if (problem !== null || image.kind === 'problem')
    return refuse(400, 'Bad image request', (problem ?? '').replace(/[<>&]/g, ''));
  const { source } = image;
  const isLocal = source.startsWith('/');
  const headers = {
    'content-security-policy': policy.contentSecurityPolicy,
    'content-disposition': policy.contentDispositionType,
    'cache-control': `public, max-age=${policy.minimumCacheTTL}, must-revalidate`,
    'x-content-type-options': 'nosniff',
    ...responseHeader('x-mainstay-image-source', isLocal ? 'local' : 'remote'),
  };
  if (isLocal) {
    const path = normalizePath(source.split(/[?#]/, 1)[0] ?? '');
    const file = path === null ? undefined : site.manifest.files[path];
    if (!file) return refuse(404, 'Image not found', 'This application publishes no file of that name.');
    if (!isAllowedType(policy, file.type))
      return refuse(400, 'Bad image request', 'The source is not a supported image.');
    return deps.files.send(request, response, file, { headers });
  }
  const url = new URL(source);
  const fetching = () =>
    fetchImage(deps, request, url, policy, headers, imageTags(place.deploymentId, source));
  return deps.answers.answer(request, response, {
    place: { ...place, host: '', path: source, target: 'image' },
    ...{ answerHeaders: {}, status: undefined },
    pass: async (observe) => passOn(response, await fetching(), observe),
    collect: fetching,
  });
}

function outside(policy: ImagePolicy, { source, query }: ImageTarget & { kind: 'image' }): string | null {
  const isUrl = /^https?:\/\//i.test(source) && URL.canParse(source);
  if (!isUrl && (!source.startsWith('/') || source.startsWith('//')))
    return 'The source is neither a path nor a URL.';
  if (!allowsSource(policy, source)) return 'The image policy of the application does not allow this source.';
  return problemOf(policy, query);
}

function isAllowedType({ dangerouslyAllowSVG }: ImagePolicy, type: string): boolean {
  return type.startsWith('image/') && (dangerouslyAllowSVG || !type.startsWith('image/svg'));
}

/** Each address on the way passes the guard of outgoing requests, and has to be one that the policy names. */
async function fetchImage(
  { client, outgoing }: ImageDeps,
  request: IncomingMessage,
  first: URL,
  policy: ImagePolicy,
  headers: Readonly<Record<string, string>>,
  tags: readonly string[],
): Promise<Collected> {
  let url = first;
  for (let hops = 0; hops <= policy.maximumRedirects; hops++) {
    const onward = onwardOf(client, '', fetchSeconds, { kind: 'proxy', headers: {} });
    const changes = {
      cookie: undefined,
      authorization: undefined,
      'accept-encoding': 'identity',
      accept: 'image/*',
    };
    const answer = await collectFromUrl(request, url, outgoing, onward, changes, policy.maximumResponseBody);
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && typeof location === 'string') {
      url = new URL(location, url);
      if (!allowsSource(policy, url.href)) return failed(400);
      continue;
    }
    if (answer.status !== 200) return failed(404);
    const type = String(answer.headers['content-type'] ?? '');
    if (!isAllowedType(policy, type)) return failed(400);
    return {
      status: 200,
      headers: {
        ...headers,
        'content-type': type,
        'content-length': String(answer.body.length),
        'cdn-cache-control': `max-age=${policy.minimumCacheTTL}`,
        'cache-tag': tags.join(','),
      },
      body: answer.body,
    };
  }
  return failed(400);
}

function failed(status: number): Collected {
  const body = Buffer.from(
    status === 404 ? 'The image was not found.\n' : 'The source is not a supported image.\n',
  );
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(body.length) };
  return { status, headers, body };
}

/** A whole answer, sent as one that comes from elsewhere. */
async function passOn(
  response: ServerResponse,
  { status, headers, body }: Collected,
  observe: (status: number, headers: Collected['headers']) => Observer,
): Promise<number> {
  const observer = observe(status, headers);
  if (observer.takes) return 0;
  const { 'cache-tag': _tags, 'cdn-cache-control': _control, ...shown } = headers;
  response.writeHead(status, { ...shown, ...observer.headers });
  observer.chunk?.(body);
  observer.end?.();
  response.end(response.req.method === 'HEAD' ? undefined : body);
  return body.length;
}
