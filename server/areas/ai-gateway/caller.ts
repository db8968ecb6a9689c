import type { FastifyRequest } from 'fastify';
import type { Tenancy } from '#accounts/organizations/service.ts';
import type { Auth } from '#core/actor.ts';
import { requestHeader } from '#core/compatibility.ts';
import { isId } from '#core/ids.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';
import type { Scope } from '#core/scopes.ts';
import { hasTwoAuthorizations, invalidToken, missingScope } from '#http/access.ts';
import type { Subject } from './rules/rules.ts';

/** Who makes a request of `/ai/v1`, and for which account. */
export interface Caller extends Subject {
  auth: Auth;
  /** Free text of the caller's; decides nothing. */
  endUserId: string | null;
}

export interface CallerDeps {
  authenticate(token: string, address: string): Maybe<Auth>;
  authenticateSecret(secret: string, address: string, allowed: ReadonlySet<Scope>): Maybe<Auth>;
  authenticateSession(request: FastifyRequest): Maybe<Auth> | undefined;
  tenancy: Tenancy;
  hasAccess(organizationId: string | null, product: string): Maybe<boolean>;
  /** At most two: whether a user has more than one is all that counts. */
  organizationsOf(userId: string): Promise<readonly string[]>;
}

/** What a key may carry whose secret is sent as it is. */
const bareScopes: ReadonlySet<Scope> = new Set<Scope>([
  'openid',
  'network:ai_gateway:chat',
  'network:ai_gateway:models',
  'network:ai_gateway:usage:read',
  'network:ai_gateway:budgets:read',
  'network:ai_gateway:budgets:write',
  'network:ai_gateway:policies:read',
  'network:ai_gateway:policies:write',
]);

/** Bearer or `x-api-key`, with an access token or the secret of a key; or the session of a browser. */
export function identify(deps: CallerDeps, request: FastifyRequest, scope: Scope): Maybe<Caller> {
  return andThen(authenticated(deps, request), (auth) => {
    if (!auth.scopes.has(scope)) throw missingScope(scope);
    return andThen(accountOf(deps, request, auth), ({ organizationId, applicationId }) =>
      andThen(deps.hasAccess(organizationId, 'ai-gateway'), (hasAccess) => {
        if (!hasAccess)
          throw new Problem(
            'forbidden',
            'The organization has no access to the product "ai-gateway". The operator of the instance can grant it.',
          );
        const endUserId = requestHeader(request.headers, 'x-mainstay-end-user-id') ?? null;
        if (endUserId !== null && endUserId.length > 256)
          throw new Problem(
            'invalid_request',
            'The header X-Mainstay-End-User-Id is longer than 256 characters.',
          );
        return {
          auth,
          organizationId,
          applicationId,
          apiKeyId: auth.through === 'api_key' ? auth.clientId : null,
          userId: auth.actor.type === 'user' ? auth.actor.id : null,
          endUserId,
        };
      }),
    );
  });
}

function authenticated(deps: CallerDeps, request: FastifyRequest): Maybe<Auth> {
  const { authorization } = request.headers;
  const key = request.headers['x-api-key'];
  if (authorization === undefined && key === undefined) {
    const session = deps.authenticateSession(request);
    if (session !== undefined) return session;
    throw invalidToken('Send an API key or an access token: Authorization: Bearer, or x-api-key.');
  }
  if (hasTwoAuthorizations(request)) throw invalidToken('Send the Authorization header once.');
  // Tools that speak Anthropic's protocol may send both; the first one counts.
  const bearer = authorization === undefined ? undefined : /^bearer +(\S+)$/i.exec(authorization)?.[1];
  const credential = bearer ?? (typeof key === 'string' ? key : undefined);
  if (!credential)
    throw invalidToken('Send the Authorization header as Bearer, a space, and the token or key.');
  return credential.startsWith('mst_')
    ? deps.authenticateSecret(credential, request.ip, bareScopes)
    : deps.authenticate(credential, request.ip);
}

type Account = Pick<Subject, 'organizationId' | 'applicationId'>;

function accountOf(deps: CallerDeps, request: FastifyRequest, auth: Auth): Maybe<Account> {
  const { actor } = auth;
  const applicationId = requestHeader(request.headers, 'x-mainstay-application-id');
  const organizationId = requestHeader(request.headers, 'x-mainstay-organization-id');
  if (actor.applicationId !== null && actor.organizationId !== null) {
    if (applicationId !== undefined && applicationId.toLowerCase() !== actor.applicationId)
      throw invisible('application');
    // An application may be deleted while its keys are still known.
    return andThen(deps.tenancy.organizationOf(actor.applicationId), (owner) => {
      if (owner === null) throw invisible('application');
      return { organizationId: owner, applicationId: actor.applicationId };
    });
  }
  if (applicationId !== undefined) return ofApplication(deps, auth, applicationId, organizationId);
  if (actor.organizationId !== null) {
    if (organizationId !== undefined && organizationId.toLowerCase() !== actor.organizationId)
      throw invisible('organization');
    return { organizationId: actor.organizationId, applicationId: null };
  }
  if (organizationId !== undefined) return ofOrganization(deps, auth, organizationId);
  return soleOrganization(deps, actor.id);
}

function ofApplication(
  deps: CallerDeps,
  auth: Auth,
  id: string,
  organizationId: string | undefined,
): Maybe<Account> {
  if (!isId(id)) throw invisible('application');
  const applicationId = id.toLowerCase();
  return andThen(deps.tenancy.organizationOf(applicationId), (owner) => {
    if (owner === null || (organizationId !== undefined && organizationId.toLowerCase() !== owner))
      throw invisible('application');
    return andThen(deps.tenancy.roleIn(auth, owner), (role) => {
      if (role === null) throw invisible('application');
      return { organizationId: owner, applicationId };
    });
  });
}

function ofOrganization(deps: CallerDeps, auth: Auth, id: string): Maybe<Account> {
  if (!isId(id)) throw invisible('organization');
  const organizationId = id.toLowerCase();
  return andThen(deps.tenancy.roleIn(auth, organizationId), (role) => {
    if (role === null) throw invisible('organization');
    return { organizationId, applicationId: null };
  });
}

async function soleOrganization(deps: CallerDeps, userId: string): Promise<Account> {
  const [only, another] = await deps.organizationsOf(userId);
  if (only === undefined || another !== undefined)
    throw new Problem(
      'invalid_request',
      'Choose the account: send the header X-Mainstay-Application-Id or X-Mainstay-Organization-Id.',
    );
  return { organizationId: only, applicationId: null };
}

function invisible(kind: string): Problem {
  return new Problem('not_found', `No ${kind} with this id is visible to this token.`);
}
