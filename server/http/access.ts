import type { FastifyInstance, FastifyRequest, preHandlerHookHandler, RouteOptions } from 'fastify';
import { type Auth, type Role, roleReaches } from '#core/actor.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';
import type { ActorType, Scope } from '#core/scopes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No bearer token: open to everyone, or authenticated by the route itself. */
    public?: true;
    /**
     * The request is signed (Signature V4), and the route checks that itself, before anything else: no bearer token. What
     * the route declares as `scope` and `actors` is the least that its credentials stand for.
     */
    signed?: true;
    /** Of a public route: it is for the pages of the dashboard, and looks at the session cookie itself. */
    session?: true;
    /** The scope that a token must carry, and the actors that may come here. */
    scope?: Scope;
    actors?: readonly ActorType[];
    /** Where an organization or an application is named: the least role of a user in that organization. */
    role?: Role;
    /** Whose path names no organization: a query parameter `organizationId` may name the one that the token acts in. */
    organizationInQuery?: true;
    /** What the path names, an organization or an application, may be deleted as long as it can still be restored. */
    whileDeleted?: true;
    /**
     * Where the body, the query or a row names the organization: the role that the service demands there, for what
     * belongs to the organization itself and to its applications. Only told by `GET /organizations/{id}/permissions`.
     */
    checksRole?: { organization: Role; application: Role };
    /** The product that the route belongs to; the organization needs access to it. */
    product?: string;
    /** For users who are operators of the instance at this moment. */
    operator?: true;
  }
  interface FastifyInstance {
    /** Of every route that is registered so far and not public. */
    operations: readonly Operation[];
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    auth: Auth;
    /** Set where an organization or an application is named that the token may see; empty elsewhere. */
    organizationId: string;
    /** For answers that continue for long: throws when the request would not be let in now. */
    checkAgain(): Promise<void>;
  }
}

export interface AccessDeps {
  /** The products that a route may belong to. */
  products: { has(slug: string): boolean };
  /** Accepts or refuses a bearer token; throws `Problem('unauthenticated')`. */
  authenticate(token: string, address: string): Maybe<Auth>;
  /** The same for the session cookie of a browser; undefined when the request carries none. */
  authenticateSession(request: FastifyRequest): Maybe<Auth> | undefined;
  /** What the actor may do in the organization; null when it may not even know of it, or when there is none. */
  roleIn(auth: Auth, organizationId: string, options: { whileDeleted: boolean }): Maybe<Role | null>;
  /** The organization that owns the application; null when there is none. */
  organizationOf(applicationId: string, options: { whileDeleted: boolean }): Maybe<string | null>;
  /** Whether the user is an operator of the instance now, whatever an older token says. */
  isOperator(userId: string): Maybe<boolean>;
  /** Whether the organization may use the product. Null: a user who acts in no organization. */
  hasAccess(organizationId: string | null, product: string): Maybe<boolean>;
}

const organizationInPath = /:organizationId\b/;
const applicationInPath = /:applicationId\b/;

/** Every route says who may call it; one that does not stops the boot. */
function demandDeclaration(
  { method, url, config, schema }: RouteOptions,
  products: AccessDeps['products'],
): void {
  const fail = (what: string) => {
    throw new Error(`Route ${String(method)} ${url} ${what}.`);
  };
  if (config?.public) return;
  if (!config?.scope || !config.actors?.length) fail('declares neither `public` nor `scope` and `actors`');
  const named = organizationInPath.test(url) || applicationInPath.test(url) || config?.organizationInQuery;
  if (named && !config?.role) fail('names a tenant and declares no `role`');
  const query = schema?.querystring as { properties?: object } | undefined;
  if (config?.organizationInQuery && !('organizationId' in (query?.properties ?? {})))
    fail('takes an organization in its query and does not describe it');
  if (config?.product && !products.has(config.product))
    fail(`belongs to no known product ("${config.product}")`);
}

/** An operation of the API, and what it asks of the caller. */
export interface Operation {
  operationId: string;
  scope: Scope;
  actors: readonly ActorType[];
  /** Inside an organization: for what belongs to itself, and to its applications. */
  role: { organization: Role; application: Role } | undefined;
  product: string | undefined;
}

export function registerAccess(app: FastifyInstance, deps: AccessDeps): void {
  const operations: Operation[] = [];
  app.decorate('operations', operations);
  app.decorateRequest('auth', null as unknown as Auth);
  app.decorateRequest('organizationId', '');
  app.decorateRequest('checkAgain', async function (this: FastifyRequest) {
    const refusal = admit(this, await authenticated(deps, this));
    if (refusal) throw refusal;
    await checkHere(deps, this);
  });
  app.addHook('onRoute', (route) => {
    demandDeclaration(route, deps.products);
    const operation = operationOf(route);
    if (operation) operations.push(operation);
  });

  app.addHook('onRequest', (request, _reply, done) => {
    const { config } = request.routeOptions;
    if (config.public || config.signed || request.is404) return done();
    try {
      const auth = authenticated(deps, request);
      if (!(auth instanceof Promise)) return done(admit(request, auth));
      auth.then((accepted) => done(admit(request, accepted)), done);
    } catch (error) {
      done(error as Error);
    }
  });

  // After validation, so that a malformed id is a 404 like any other that leads nowhere.
  app.addHook('onRoute', (route) => {
    const { role, product, operator } = route.config ?? {};
    if (!role && !product && !operator) return;
    const hook: preHandlerHookHandler = (request, _reply, done) => {
      try {
        const outcome = checkHere(deps, request);
        if (!(outcome instanceof Promise)) return done();
        outcome.then(() => done(), done);
      } catch (error) {
        done(error as Error);
      }
    };
    route.preHandler = [hook, ...[route.preHandler ?? []].flat()];
  });
}

/** What the route asks of the caller beyond its token. */
function checkHere(deps: AccessDeps, request: FastifyRequest): Maybe<void> {
  const { role, product, operator } = request.routeOptions.config;
  const asOperator = operator ? checkOperator(deps, request) : undefined;
  const inTenant = andThen(asOperator, () => (role ? checkTenant(deps, request, role) : undefined));
  return andThen(inTenant, () => (product ? checkProduct(deps, request, product) : undefined));
}

function operationOf({ config, schema, method }: RouteOptions): Operation | undefined {
  const { scope, actors, product } = config ?? {};
  // A product's operation that names no organization is about the caller's own, for all of its members.
  const inPath = config?.role ?? (product ? 'MEMBER' : undefined);
  const role = config?.checksRole ?? (inPath && { organization: inPath, application: inPath });
  const operationId = (schema as { operationId?: string } | undefined)?.operationId;
  // Fastify adds a HEAD route beside every GET.
  if (!scope || !actors || operationId === undefined || method === 'HEAD') return undefined;
  return { operationId, scope, actors, role, product };
}

/** A bearer token wins: only a request without one is asked for the session of a browser. */
function authenticated(deps: AccessDeps, request: FastifyRequest): Maybe<Auth> {
  const session = request.headers.authorization === undefined ? deps.authenticateSession(request) : undefined;
  return session ?? deps.authenticate(bearerToken(request), request.ip);
}

/** Sets the actor on the request, or returns why it may not come in. */
function admit(request: FastifyRequest, auth: Auth): Error | undefined {
  const { scope, actors } = request.routeOptions.config;
  if (!actors?.includes(auth.actor.type)) {
    const allowed = actors?.join(', ') ?? 'none';
    const sentence = `A token of the ${auth.actor.type} actor may not do this; it is for: ${allowed}.`;
    return new Problem('forbidden', sentence);
  }
  if (!scope || !auth.scopes.has(scope)) return missingScope(scope ?? '');
  request.auth = auth;
  return undefined;
}

export function missingScope(scope: string): Problem {
  const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  return new Problem('insufficient_scope', `The token lacks the scope ${scope}.`, {
    headers: { 'www-authenticate': challenge },
  });
}

/** Sets the organization that the request is about, when the actor may see it and do as much there. */
function checkTenant(deps: AccessDeps, request: FastifyRequest, needed: Role): Maybe<void> {
  const { auth } = request;
  const { organizationInQuery, whileDeleted = false } = request.routeOptions.config;
  const path = request.params as { organizationId?: string; applicationId?: string };
  const { applicationId } = path;
  const { organizationId } = organizationInQuery ? (request.query as typeof path) : path;
  if (organizationInQuery && organizationId === undefined) return;
  const own = auth.actor.applicationId;
  // An application sees itself, not its neighbours in the same organization.
  if (applicationId && own !== null && own !== applicationId) throw invisible('application');
  const kind = applicationId ? 'application' : 'organization';
  const owner = applicationId
    ? deps.organizationOf(applicationId, { whileDeleted })
    : (organizationId ?? null);
  // Of a deleted organization nothing is seen, whether its applications are deleted or not.
  const inDeleted = { whileDeleted: whileDeleted && !applicationId };
  return andThen(owner, (id) => {
    if (!id) throw invisible(kind);
    return andThen(deps.roleIn(auth, id, inDeleted), (role) => {
      if (!role) throw invisible(kind);
      if (!roleReaches(role, needed)) {
        throw new Problem(
          'forbidden',
          `This needs the role ${needed} in the organization; yours is ${role}.`,
        );
      }
      request.organizationId = id;
    });
  });
}

function invisible(kind: string): Problem {
  return new Problem('not_found', `No ${kind} with this id is visible to this token.`);
}

function checkOperator(deps: AccessDeps, { auth }: FastifyRequest): Maybe<void> {
  return andThen(deps.isOperator(auth.actor.id), (isOperator) => {
    if (!isOperator) throw new Problem('forbidden', 'This is for operators of the instance.');
  });
}

/** The organization that is named, or else that of the actor, has to have access to the product. */
function checkProduct(deps: AccessDeps, request: FastifyRequest, product: string): Maybe<void> {
  const organizationId = request.organizationId || request.auth.actor.organizationId;
  return andThen(deps.hasAccess(organizationId, product), (hasAccess) => {
    if (hasAccess) return;
    const who = organizationId ? 'The organization' : 'A user without an organization';
    const sentence = `${who} has no access to the product "${product}". The operator of the instance can grant it.`;
    throw new Problem('forbidden', sentence);
  });
}

/** RFC 6750, 3. */
export function invalidToken(sentence: string): Problem {
  return new Problem('unauthenticated', sentence, {
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${sentence}"` },
  });
}

/** RFC 6750, 2.1. A header given twice is refused: which of the two counts differs from server to server. */
function bearerToken(request: FastifyRequest): string {
  const { authorization } = request.headers;
  if (!authorization) throw invalidToken('Send a bearer token in the Authorization header.');
  if (hasTwoAuthorizations(request)) throw invalidToken('Send the Authorization header once.');
  if (authorization.startsWith('Bearer ')) return authorization.slice(7);
  const [, token] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  if (!token) throw invalidToken('Send the Authorization header as Bearer, a space, and the token.');
  return token;
}

export function hasTwoAuthorizations(request: FastifyRequest): boolean {
  const { rawHeaders } = request.raw;
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') seen++;
  }
  return seen > 1;
}
