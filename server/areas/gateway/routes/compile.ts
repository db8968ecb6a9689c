import { type Captures, compilePattern, compileValue, type PathPattern, PatternError } from './pattern.ts';
import type { Condition, Route, RouteRequest } from './route.ts';
import { compileTemplate, type Template } from './template.ts';

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];
const methodNames = ['ANY', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Those that say where a message ends or how the connection continues: a rule that set one could split a response. */
const framingHeaders = new Set([
  ...['connection', 'content-length', 'keep-alive', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'date', 'set-cookie2'],
]);
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const maxRoutes = 1024;
const maxCharacters = 4096;
const maxConditions = 16;

export interface CompiledRoute {
  index: number;
  pattern: PathPattern;
  /** Null: every method. */
  methods: ReadonlySet<string> | null;
  has: readonly CompiledCondition[];
  missing: readonly CompiledCondition[];
  headers: Readonly<Record<string, string>>;
  target: Target;
}

type Target =
  | { kind: 'redirect'; status: number; template: Template }
  | { kind: 'proxy'; status: number | undefined; template: Template }
  | { kind: 'place'; status: number | undefined; template: Template };

/** The captures of the condition, or null where it does not hold. */
type CompiledCondition = (request: RouteRequest, query: URLSearchParams) => Captures | null;

/** What is wrong with the list, by the place of each rule: `routes[3].source has a "(" without its ")"`. */
export class RouteError extends Error {
  override name = 'RouteError';
}

/** Compiles the list, or throws `RouteError` for the first rule that cannot be used. */
export function compileRoutes(routes: readonly Route[]): CompiledRoute[] {
  if (routes.length > maxRoutes)
    throw new RouteError(`routes has ${routes.length} rules, and ${maxRoutes} is the limit`);
  return routes.map((route, index) => compileRoute(route, index));
}

function compileRoute(route: Route, index: number): CompiledRoute {
  const fail = (field: string, problem: string): never => {
    throw new RouteError(`routes[${index}].${field} ${problem}`);
  };
  const at = <T>(field: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof PatternError) return fail(field, error.message);
      throw error;
    }
  };
  const { source, destination, statusCode, redirect = false } = route;
  if (source.length > maxCharacters) fail('source', `is longer than ${maxCharacters} characters`);
  if (destination === undefined || destination === '') return fail('destination', 'is missing');
  if (destination.length > maxCharacters) fail('destination', `is longer than ${maxCharacters} characters`);
  for (const name of ['has', 'missing'] as const)
    if ((route[name]?.length ?? 0) > maxConditions) fail(name, `has more than ${maxConditions} conditions`);
  const methods = route.methods ?? [];
  const unknown = methods.find((method) => !methodNames.includes(method));
  if (unknown !== undefined) fail('methods', `names "${unknown}"; known are ${methodNames.join(', ')}`);
  for (const [name, value] of Object.entries(route.headers ?? {})) {
    if (!headerName.test(name)) fail('headers', `has "${name}", which is no name of a header`);
    if (framingHeaders.has(name.toLowerCase()))
      fail('headers', `sets "${name}", which only the server may set`);
    if (!headerValue.test(value)) fail(`headers["${name}"]`, 'holds a line break or a control character');
  }
  const target = (): Target => {
    const template = at('destination', () => compileTemplate(destination));
    if (redirect) {
      const status = statusCode ?? 307;
      if (!redirectStatuses.includes(status))
        fail('statusCode', `of a redirect is one of ${redirectStatuses.join(', ')}`);
      return { kind: 'redirect', status, template };
    }
    if (statusCode !== undefined && !(statusCode >= 200 && statusCode <= 599))
      fail('statusCode', 'is a number from 200 to 599');
    return { kind: template.isUrl ? 'proxy' : 'place', status: statusCode, template };
  };
  const conditions = (field: 'has' | 'missing') =>
    (route[field] ?? []).map((condition, place) =>
      at(`${field}[${place}]`, () => compileCondition(condition)),
    );
  return {
    index,
    pattern: at('source', () => compilePattern(source)),
    methods: methods.length === 0 || methods.includes('ANY') ? null : withHead(methods),
    has: conditions('has'),
    missing: conditions('missing'),
    headers: lowerCased(route.headers ?? {}),
    target: target(),
  };
}

/** So that they take the place of ours, however they are written. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function withHead(methods: readonly string[]): ReadonlySet<string> {
  return new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
}

const present: Captures = { groups: [], named: new Map() };

function compileCondition(condition: Condition): CompiledCondition {
  const { value } = condition;
  const test = value === undefined ? () => present : compileValue(value);
  const whole = (text: string | null | undefined) =>
    text === null || text === undefined ? null : test(text);
  if (condition.type === 'host') return ({ host }) => whole(hostName(host));
  const { type, key } = condition;
  if (type === 'header') {
    const name = key.toLowerCase();
    return ({ header }) => whole(header(name));
  }
  if (type === 'cookie') return ({ header }) => whole(cookie(header('cookie'), key));
  return (_request, query) => whole(query.get(key));
}

/** In lower case, without a port. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

/** The first cookie of that name (RFC 6265, 5.4), as it came. */
function cookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
