import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { MadeKeys, Powers } from '#accounts/api-keys/service.ts';
import type { FailureThrottle, Keyring, TokenVerifier } from '#accounts/tokens/service.ts';
import { peopleIssuer, tokenSeconds } from '#accounts/tokens/service.ts';
import { senderOf } from '#core/addresses.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { Mailer } from '#core/mailer.ts';
import type { SettingsOf } from '#core/settings.ts';
import type { Vault } from '#core/vault.ts';
import type { Once } from '#http/idempotency.ts';
import { RateLimiter } from '#http/rate-limit.ts';
import { Accounts } from './accounts/accounts.ts';
import { securityRoutes } from './accounts/security-routes.ts';
import { signInRoutes } from './accounts/sign-in-routes.ts';
import { Attempts } from './attempts.ts';
import { Emails } from './emails.ts';
import { PeopleProblem } from './errors.ts';
import { authorizeRoutes } from './oauth/authorize-routes.ts';
import { clientRoutes } from './oauth/client-routes.ts';
import { clients } from './oauth/clients.ts';
import { deviceRoutes } from './oauth/device-routes.ts';
import { grantRoutes } from './oauth/grant-routes.ts';
import { identityRoutes } from './oauth/identity-routes.ts';
import { tokenRoutes } from './oauth/token-routes.ts';
import { passwordPolicy } from './passwords/policy.ts';
import { StrengthMeter } from './passwords/strength.ts';
import { accountRoutes } from './people/account-routes.ts';
import { profileRoutes } from './people/profile-routes.ts';
import { resetLinkRoutes } from './people/reset-link-routes.ts';
import { sessionRoutes } from './people/session-routes.ts';
import { signUpRoutes } from './people/sign-up-routes.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { oauthSettings, peopleSettings } from './settings.ts';

const defaultCliClientId = 'mainstay-cli';
/** After the last access token of a grant has expired, for clocks that disagree. */
const graceMilliseconds = 60_000;

interface Deps {
  db: Db;
  vault: Vault;
  clock: Clock;
  log: Logger;
  mailer: Mailer | null;
  keyring: Keyring;
  verifier: TokenVerifier;
  failures: FailureThrottle;
  sessions: Sessions;
  once: Once;
  powers: Powers;
  madeKeys: MadeKeys;
  baseUrl: string;
  cacheSize: number;
  maxPictureBytes: number;
  settings: SettingsOf<typeof peopleSettings & typeof oauthSettings>;
}

/** Everything under `/idp`: who people are, how they prove it, and what they let other programs do. */
export function peopleRoutes(deps: Deps): FastifyPluginAsync {
  const { db, vault, clock, log, baseUrl, sessions, settings } = deps;
  const origin = new URL(baseUrl).origin;
  const issuer = peopleIssuer(baseUrl);
  const provider = outsideProvider(settings);
  const attempts = new Attempts({ db, vault, clock });
  const perHour = settings.mailsPerRecipient;
  const emails = new Emails({ mailer: deps.mailer, attempts, perHour, baseUrl, log });
  const meter = new StrengthMeter();
  const passwords = passwordPolicy({
    meter,
    minScore: settings.passwordStrength,
    breachesUrl: settings.breachedPasswordsUrl,
    log,
  });
  const accounts = new Accounts({
    ...{ db, vault, log, emails, attempts, baseUrl, provider, sessions },
    times: {
      session: settings.sessionLifetime,
      fresh: settings.sessionFresh,
      mailLink: settings.mailLinkLifetime,
    },
  });
  const known = clients({
    db,
    max: deps.cacheSize,
    commandLine: {
      id: settings.cliClientId ?? defaultCliClientId,
      redirectUris: settings.cliRedirectUris,
    },
  });
  const granting = {
    ...{ db, vault, clock, log, issuer, baseUrl, sessions, attempts, clients: known, resource: baseUrl },
    powers: deps.powers,
    madeKeys: deps.madeKeys,
    times: {
      accessToken: tokenSeconds * 1000 + graceMilliseconds,
      refreshIdle: settings.refreshTokenIdle * 1000,
      refreshLifetime: settings.refreshTokenLifetime * 1000,
    },
    codeSeconds: settings.authorizationCodeLifetime,
    deviceSeconds: settings.deviceCodeLifetime,
    limits: settings,
  };
  const { keyring, verifier, failures, once, powers } = deps;

  return async (app) => {
    boundPages(app, settings.pageRequestsPerMinute, clock);
    await app.register(
      sessionRoutes({
        ...{ db, clock, log, sessions },
        signUp: settings.signUp,
        sendsMail: emails.areSent,
        providerName: provider?.name ?? null,
      }),
    );
    const signing = {
      db,
      vault,
      clock,
      log,
      accounts,
      attempts,
      emails,
      passwords,
      origin,
      baseUrl,
      sessions,
    };
    await app.register(signUpRoutes({ ...signing, signUp: settings.signUp, limits: settings }));
    await app.register(signInRoutes({ ...signing, madeKeys: deps.madeKeys, limits: settings }));
    await app.register(securityRoutes({ ...signing, limits: settings }));
    await app.register(
      profileRoutes({ db, clock, log, sessions, baseUrl, maxPictureBytes: deps.maxPictureBytes }),
    );
    await app.register(accountRoutes({ db, log, sessions, attempts, limits: settings }));
    await app.register(
      resetLinkRoutes({ db, vault, clock, baseUrl, powers, lifetimeSeconds: settings.mailLinkLifetime }),
    );
    await app.register(authorizeRoutes(granting));
    await app.register(tokenRoutes({ ...granting, keyring, verifier, failures }));
    await app.register(deviceRoutes(granting));
    await app.register(grantRoutes(granting));
    await app.register(identityRoutes({ db, verifier, issuer, baseUrl }));
    await app.register(clientRoutes({ db, vault, clock, once, powers }));
    app.addHook('onClose', async () => {
      await emails.close();
      await meter.close();
    });
  };
}

/** What pages ask for is counted in memory, for each address: beyond it nothing is looked up for them. */
function boundPages(app: FastifyInstance, perMinute: number, clock: Clock): void {
  const limiter = new RateLimiter({ limit: perMinute, windowSeconds: 60, clock });
  app.addHook('onRequest', async (request) => {
    if (!request.routeOptions.config.session) return;
    const { remaining, resetSeconds } = limiter.count(senderOf(request.ip));
    if (remaining >= 0) return;
    const sentence = 'Too many requests from your address. Wait a moment.';
    const options = { retryAfterSeconds: resetSeconds };
    throw new PeopleProblem('too_many_requests', 'TOO_MANY_REQUESTS', sentence, options);
  });
}

function outsideProvider(settings: Deps['settings']) {
  const { oidcIssuer: issuer, oidcClientId: clientId } = settings;
  if (!issuer || !clientId) return null;
  return {
    issuer,
    clientId,
    clientSecret: settings.oidcClientSecret,
    name: settings.oidcName ?? issuer.hostname,
    signUp: settings.oidcSignUp && settings.signUp !== 'closed',
  };
}
