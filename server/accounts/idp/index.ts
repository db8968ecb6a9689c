import type { FastifyRequest } from 'fastify';
import type { MadeKeys, Powers } from '#accounts/api-keys/service.ts';
import type { FailureThrottle, GrantState, Keyring, TokenVerifier } from '#accounts/tokens/service.ts';
import type { Auth } from '#core/actor.ts';
import type { Cached } from '#core/cached.ts';
import { clockMarginMilliseconds } from '#core/clock.ts';
import { LastUsed } from '#core/last-used.ts';
import type { Maybe } from '#core/maybe.ts';
import type { SettingsOf } from '#core/settings.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { peopleRoutes } from './routes.ts';
import { grantStates, Sessions, sealedTwoFactors, sweepPeople } from './service.ts';
import { oauthSettings, peopleSettings } from './settings.ts';

const settings = { ...peopleSettings, ...oauthSettings };

export const area = {
  settings: {
    heading: 'Users, and OAuth for other apps',
    group: settings,
    check({ oidcIssuer, oidcClientId }: SettingsOf<typeof settings>) {
      const together = (oidcIssuer === undefined) === (oidcClientId === undefined);
      return together
        ? undefined
        : 'MAINSTAY_OIDC_ISSUER and MAINSTAY_OIDC_CLIENT_ID belong together: set both.';
    },
  },
  tables: ['user_pictures', 'two_factors', 'passkeys', 'oauth_clients', 'oauth_grants'],
  transientTables: ['sessions', 'verifications', 'oauth_codes', 'oauth_devices', 'attempts'],
  sealedColumns: sealedTwoFactors,
} satisfies Area;

/** What the tokens of people stand on; the area of tokens, which is opened before this one, verifies them with it. */
export function openGrants({
  db,
  cacheEntries: max,
}: Parts<'db' | 'cacheEntries'>): Cached<GrantState | null> {
  return grantStates({ db, max });
}

export function open(
  parts: Parts<
    'db' | 'vault' | 'clock' | 'log' | 'mailer' | 'baseUrl' | 'cacheEntries',
    typeof peopleSettings & typeof oauthSettings
  >,
  needs: {
    once: Once;
    powers: Powers;
    madeKeys: MadeKeys;
    keyring: Keyring;
    verifier: TokenVerifier;
    failures: FailureThrottle;
    maxPictureBytes: number;
  },
): OpenedArea & {
  /** Who the session cookie of a browser belongs to; undefined when the request carries none. */
  authenticateSession(request: FastifyRequest): Maybe<Auth> | undefined;
} {
  const { db, vault, clock, log, mailer, baseUrl, cacheEntries, settings: set } = parts;
  const sessionsUsed = new LastUsed({ db, clock, table: 'sessions' });
  const idleSeconds = set.sessionIdle;
  const sessions = new Sessions({
    ...{ db, vault, clock, baseUrl, idleSeconds, max: cacheEntries },
    freshSeconds: set.sessionFresh,
    lastUsed: sessionsUsed,
  });
  return {
    authenticateSession: (request) => sessions.authenticate(request),
    routes: [
      peopleRoutes({
        ...{ db, vault, clock, log, mailer, sessions, baseUrl, cacheSize: cacheEntries, settings: set },
        ...needs,
      }),
    ],
    tasks: [
      { everySeconds: 10, name: 'note when sessions were used', work: () => sessionsUsed.flush() },
      {
        everySeconds: 300,
        name: 'sweep what is over of people',
        work: () => sweepPeople(db, clock.now() - clockMarginMilliseconds, { idleSeconds }),
      },
    ],
    close: () =>
      sessionsUsed
        .flush({ all: true })
        .catch((err) => log.warn({ err }, 'The last uses of sessions were not noted.')),
  };
}
