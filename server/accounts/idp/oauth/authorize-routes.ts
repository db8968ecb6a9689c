import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import type { Powers } from '#accounts/api-keys/service.ts';
import { findUser } from '#accounts/users/service.ts';
import { problemSender } from '#http/errors.ts';
import { oauthSkin } from '#http/oauth-errors.ts';
import { PeopleProblem, peopleSkin } from '../errors.ts';
import type { SessionState, Sessions } from '../sessions/sessions.ts';
import type { Clients } from './clients.ts';
import { issueCode } from './codes.ts';
import { listOf } from './grant-store.ts';
import type { GrantDeps } from './grants.ts';
import { outOfBand } from './redirects.ts';
import { toClient, toScopes } from './render.ts';
import { type AuthorizationRequest, answerAt, RedirectedProblem, readRequest } from './request.ts';
import { Consent, ConsentDecision, ConsentOutcome } from './schema.ts';
import { covers, grantPower } from './scopes.ts';

/** Who is asked to sign in again (`prompt=login`, `max_age=0`) has done so if it was within this time. */
const loginSeconds = 300;
const tags = ['OAuth for other apps'];

interface Deps extends GrantDeps {
  log: Logger;
  sessions: Sessions;
  clients: Clients;
  issuer: string;
  resource: string;
  baseUrl: string;
  codeSeconds: number;
  powers: Powers;
}

/**
 * The authorization endpoint (RFC 6749, 3.1). What a person has to see, to sign in or to consent, is a page of the
 * dashboard at `/authorize`, which gets the same query, asks `…/consent` what to show, and says there what was decided.
 */
export function authorizeRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { db, clock, sessions, issuer, baseUrl, powers, log } = deps;

  const approve = async (wanted: AuthorizationRequest, session: SessionState): Promise<string> => {
    await powers.demand(session.auth, grantPower(wanted.scope));
    const { userId, createdAt: authenticatedAt, epoch } = session;
    const person = { userId, authenticatedAt, epoch };
    return answerAt(wanted, issuer, { code: await issueCode(deps, wanted, person) });
  };

  const refuse = (wanted: AuthorizationRequest, error: string, description: string): string =>
    answerAt(wanted, issuer, { error, error_description: description });

  /** Only a client that proves itself can be told apart from one that borrows its name: others are asked for each time. */
  const isRemembered = async ({ client, scope, prompt }: AuthorizationRequest, session: SessionState) => {
    if (client.secret === null || prompt.has('consent') || prompt.has('select_account')) return false;
    const grants = await listOf(db, session.userId, clock.now());
    return grants.some((grant) => grant.client_id === client.id && covers(grant.scope, scope));
  };

  const mustSignIn = ({ prompt, maxAge }: AuthorizationRequest, session: SessionState | null): boolean => {
    if (!session) return true;
    const isAsked = prompt.has('login') || maxAge === 0;
    const seconds = isAsked ? loginSeconds : (maxAge ?? Number.POSITIVE_INFINITY);
    return clock.now() - session.createdAt > seconds * 1000;
  };

  return async (app) => {
    await app.register(async (oauth: typeof app) => {
      oauth.setErrorHandler(problemSender(log, oauthSkin));
      oauth.get(
        '/idp/oauth2/authorize',
        {
          config: { errors: [400], public: true },
          schema: {
            operationId: 'authorize',
            summary: 'Authorize an OAuth app (authorization code with PKCE)',
            description:
              'Parameters: `response_type=code`, `client_id`, `redirect_uri`, `scope`, `state`, `code_challenge`, ' +
              '`code_challenge_method=S256`, and as needed `nonce`, `prompt`, `max_age`. The response is sent to `redirect_uri` with `code`, `state` and `iss`, or with `error`.',
            tags,
            response: {
              302: { type: 'null', description: 'Redirect to the consent page, or back to the client.' },
            },
          },
        },
        async (request, reply) => {
          const query = queryOf(request.url);
          try {
            const wanted = await readRequest(deps, query);
            const session = await sessions.ofRequest(request);
            const isSilent = wanted.prompt.has('none');
            if (!session || mustSignIn(wanted, session)) {
              if (!isSilent) return reply.redirect(`${baseUrl}/authorize?${query}`, 302);
              return reply.redirect(refuse(wanted, 'login_required', 'The user has to sign in.'), 302);
            }
            if (await isRemembered(wanted, session))
              return reply.redirect(await approve(wanted, session), 302);
            if (!isSilent) return reply.redirect(`${baseUrl}/authorize?${query}`, 302);
            return reply.redirect(
              refuse(wanted, 'consent_required', 'The user has to approve the request.'),
              302,
            );
          } catch (error) {
            if (error instanceof RedirectedProblem) return reply.redirect(error.location, 302);
            throw error;
          }
        },
      );
    });

    await app.register(async (page: typeof app) => {
      page.setErrorHandler(problemSender(log, peopleSkin));
      page.get(
        '/idp/oauth2/consent',
        {
          config: { public: true, session: true },
          schema: {
            operationId: 'getConsent',
            summary: 'Get a pending authorization request',
            description: 'Accepts the query of the /authorize page.',
            tags,
            response: { 200: Consent },
          },
        },
        async (request) => {
          const session = await sessions.ofPage(request);
          const wanted = await readRequest(deps, queryOf(request.url));
          const user = session ? await findUser(db, session.userId) : undefined;
          return {
            client: toClient(wanted.client),
            redirectHost: redirectHost(wanted.redirectUri, baseUrl),
            scopes: toScopes(wanted.scope),
            account: user ? { id: user.id, email: user.email, name: user.name } : null,
            signInNeeded: mustSignIn(wanted, session),
          };
        },
      );

      page.post(
        '/idp/oauth2/consent',
        {
          config: { public: true, session: true },
          schema: {
            operationId: 'decideConsent',
            summary: 'Approve or deny an authorization request',
            tags,
            body: ConsentDecision,
            response: { 200: ConsentOutcome },
          },
        },
        async (request) => {
          const session = await sessions.demand(request);
          const wanted = await readRequest(deps, new URLSearchParams(request.body.request));
          if (!request.body.approve)
            return { redirectTo: refuse(wanted, 'access_denied', 'The user denied the request.') };
          if (mustSignIn(wanted, session)) {
            const sentence = 'The app requires you to sign in again first.';
            throw new PeopleProblem('unauthenticated', 'SIGN_IN_AGAIN', sentence);
          }
          return { redirectTo: await approve(wanted, session) };
        },
      );
    });
  };
}

function redirectHost(redirectUri: string, baseUrl: string): string {
  const { host, protocol } = new URL(redirectUri === outOfBand ? baseUrl : redirectUri);
  return host || protocol;
}

function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
}
