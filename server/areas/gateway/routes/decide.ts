import type { CompiledRoute } from './compile.ts';
import { encodePath } from './pathname.ts';
import type { Captures } from './pattern.ts';
import type { Decision, Published, RouteRequest } from './route.ts';
import { type Filled, mergeQueries } from './template.ts';

/** The rules of one deployment, in order, findable by the first segment that they begin with. */
export interface RouteTable {
  /** Rules that begin with `/segment/` or are `/segment`, by segment. */
  readonly bySegment: ReadonlyMap<string, readonly CompiledRoute[]>;
  /** Rules whose first segment is a pattern. */
  readonly anywhere: readonly CompiledRoute[];
}

export function routeTable(routes: readonly CompiledRoute[]): RouteTable {
  const bySegment = new Map<string, CompiledRoute[]>();
  const anywhere: CompiledRoute[] = [];
  for (const route of routes) {
    const segment = wholeSegment(route.pattern.prefix);
    if (segment === null) anywhere.push(route);
    else {
      const known = bySegment.get(segment);
      if (known) known.push(route);
      else bySegment.set(segment, [route]);
    }
  }
  return { bySegment, anywhere };
}

/** The first segment, where the prefix holds all of it: `docs` of `/docs/`, but not of `/docs`, which may continue. */
function wholeSegment(prefix: string): string | null {
  const end = prefix.indexOf('/', 1);
  return end === -1 ? null : prefix.slice(1, end);
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

const none: readonly CompiledRoute[] = [];

/** Those that may match. */
function candidates({ bySegment, anywhere }: RouteTable, path: string): Iterable<CompiledRoute> | null {
  const own = bySegment.get(firstSegment(path)) ?? none;
  if (own.length === 0) return anywhere.length === 0 ? null : anywhere;
  return anywhere.length === 0 ? own : merged(own, anywhere);
}

/** Both lists by their place in the configuration, one after the other, without making a third. */
function* merged(
  own: readonly CompiledRoute[],
  anywhere: readonly CompiledRoute[],
): Generator<CompiledRoute> {
  let a = 0;
  let b = 0;
  while (a < own.length || b < anywhere.length) {
    const left = own[a];
    const right = anywhere[b];
    if (left && (!right || left.index < right.index)) {
      a += 1;
      yield left;
    } else if (right) {
      b += 1;
      yield right;
    }
  }
}

/** What answers the request. The path has been normalised; a path that could not be was answered by 400 before. */
export function decide(
  table: RouteTable,
  published: Published,
  request: RouteRequest,
  /** Told what came of each rule that was looked at. */
  explain?: (route: number, result: string) => void,
): Decision {
  const rules = candidates(table, request.path);
  if (rules === null) return withoutRoute(published, request);
  const query = new URLSearchParams(request.query);
  const namesFile = publishedFile(published, request.path) !== null;
  for (const route of rules) {
    const { index, pattern } = route;
    if (route.methods && !route.methods.has(request.method)) {
      explain?.(index, 'is for other methods');
      continue;
    }
    const captures = request.path.startsWith(pattern.prefix) ? pattern.match(request.path) : null;
    if (!captures) {
      explain?.(index, 'does not match the path');
      continue;
    }
    const all = conditionsHold(route, request, query, captures);
    if (!all) {
      explain?.(index, 'has conditions that do not hold');
      continue;
    }
    const decision = follow(route, all, published, request, namesFile);
    explain?.(index, decision ? 'decides' : whyNot(namesFile));
    if (decision) return decision;
  }
  return withoutRoute(published, request);
}

function whyNot(namesFile: boolean): string {
  return namesFile
    ? 'leads to a function, and the path names a published file'
    : 'leads to nothing that is there';
}

/** The captures of the path and of all of `has`; null where one of them does not hold or one of `missing` does. */
function conditionsHold(
  route: CompiledRoute,
  request: RouteRequest,
  query: URLSearchParams,
  captures: Captures,
): Captures | null {
  if (route.missing.some((condition) => condition(request, query) !== null)) return null;
  if (route.has.length === 0) return captures;
  const named = new Map(captures.named);
  for (const condition of route.has) {
    const found = condition(request, query);
    if (!found) return null;
    for (const [name, value] of found.named) named.set(name, value);
  }
  return { groups: captures.groups, named };
}

/** Null where the destination names nothing: then the rule does not match. */
function follow(
  { index, target, headers }: CompiledRoute,
  captures: Captures,
  published: Published,
  request: RouteRequest,
  namesFile: boolean,
): Decision | null {
  const filled = target.template.fill(captures);
  const query = mergeQueries(filled, request.query);
  const common = { headers, route: index };
  if (target.kind === 'redirect') {
    const location = redirectTarget(filled, query, target.template.isUrl);
    return { kind: 'redirect', status: target.status, location, ...common };
  }
  const status = target.status === undefined ? {} : { status: target.status };
  if (target.kind === 'proxy') {
    return { kind: 'proxy', url: withQuery(filled.path, query), ...common, ...status };
  }
  const found = place(filled.path, published);
  if (!found || (found.kind === 'function' && namesFile)) return null;
  if (found.kind === 'file') return { kind: 'file', path: found.path, ...common, ...status };
  return { kind: 'function', name: found.name, query, matchedPath: filled.path, ...common, ...status };
}

/** With a leading slash a path (file, then function), without one a name from the project's root. */
function place(
  destination: string,
  published: Published,
): { kind: 'file'; path: string } | { kind: 'function'; name: string } | null {
  if (destination.startsWith('/')) {
    const path = publishedFile(published, destination);
    if (path !== null) return { kind: 'file', path };
    const name = destination.slice(1);
    return published.hasFunction(name) ? { kind: 'function', name } : null;
  }
  const name = destination.replace(/^\.\//, '');
  if (published.hasFunction(name)) return { kind: 'function', name };
  const path = published.pathOf(name) ?? publishedFile(published, `/${name}`);
  return path === null ? null : { kind: 'file', path };
}

/** The file that a path names: itself, or in its canonical form without `.html` or `index.html`. */
function publishedFile(published: Published, path: string): string | null {
  if (published.hasFile(path)) return path;
  if (path.endsWith('/')) return published.hasFile(`${path}index.html`) ? `${path}index.html` : null;
  return published.hasFile(`${path}.html`) ? `${path}.html` : null;
}

function redirectTarget(filled: Filled, query: string, isUrl: boolean): string {
  // Two slashes would make the visitor's browser leave for a server that the path chose.
  const path = isUrl ? filled.path : encodePath(filled.path.replace(/^\/{2,}/, '/'));
  return withQuery(isUrl || path.startsWith('/') ? path : `/${path}`, query);
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}

const reading = new Set(['GET', 'HEAD']);

function withoutRoute(published: Published, request: RouteRequest): Decision {
  const { path } = request;
  const canonical = canonicalPath(published, path);
  if (canonical !== null && reading.has(request.method)) {
    const location = withQuery(encodePath(canonical), request.query);
    return { kind: 'redirect', status: 307, location, headers: {} };
  }
  const file = publishedFile(published, path);
  if (file !== null) return { kind: 'file', path: file, headers: {} };
  const page = published.hasFile('/404.html') ? '/404.html' : null;
  const isSinglePage = page === null && published.functionCount === 0 && published.hasFile('/index.html');
  if (isSinglePage && isNavigation(request)) return { kind: 'file', path: '/index.html', headers: {} };
  return { kind: 'missing', status: 404, page, headers: {} };
}

/** Where a path has one right spelling and this is another: `/a` for `/a.html`, `/dir/` for `/dir` and `/dir/index.html`. */
function canonicalPath(published: Published, path: string): string | null {
  if (published.hasFile(path)) {
    if (path.endsWith('/index.html')) return path.slice(0, -'index.html'.length);
    if (!path.endsWith('.html')) return null;
    const bare = path.slice(0, -'.html'.length);
    return published.hasFile(bare) ? null : bare;
  }
  if (published.hasFile(`${path}.html`)) return null;
  if (!path.endsWith('/')) return published.hasFile(`${path}/index.html`) ? `${path}/` : null;
  const bare = path.slice(0, -1);
  return !published.hasFile(`${path}index.html`) && published.hasFile(`${bare}.html`) ? bare : null;
}

function isNavigation({ method, header }: RouteRequest): boolean {
  if (!reading.has(method)) return false;
  const mode = header('sec-fetch-mode');
  return mode === undefined ? /\btext\/html\b/i.test(header('accept') ?? '') : mode === 'navigate';
}
