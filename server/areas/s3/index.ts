import type { MadeKeys, Powers } from '#accounts/api-keys/service.ts';
import type { Environments } from '#accounts/applications/service.ts';
import { findApplication } from '#accounts/applications/service.ts';
import { applyLifecycles, type Buckets, type StorageDeps, type Traffics } from '#areas/storage/service.ts';
import type { AddressBlocks } from '#core/addresses.ts';
import { Cached } from '#core/cached.ts';
import { isId } from '#core/ids.ts';
import { LastUsed } from '#core/last-used.ts';
import type { Maybe } from '#core/maybe.ts';
import type { RequestLog } from '#core/request-log.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import type { S3Deps } from './call.ts';
import { Credentials, credentialsAsMadeKeys, dropCredentials, sealedCredentials } from './credentials.ts';
import { pathRoutes } from './path-routes.ts';
import { credentialRoutes } from './routes.ts';
import { S3Server } from './server.ts';
import { s3Settings } from './settings.ts';
import { SigningKeys } from './signature/canonical.ts';

export const area = {
  settings: { heading: 'S3', group: s3Settings },
  tables: ['s3_credentials'],
  sealedColumns: sealedCredentials,
} satisfies Area;

export interface S3Needs {
  once: Once;
  powers: Powers;
  madeKeys: Pick<MadeKeys, 'use'>;
  environments: Pick<Environments, 'resolve' | 'use'>;
  storage: StorageDeps & { buckets: Buckets; traffics: Traffics };
  requestLog: RequestLog;
  trustedProxies: AddressBlocks;
  waitSeconds: number;
  organizationOf(applicationId: string): Maybe<string | null>;
  hasAccess(organizationId: string, product: string): Maybe<boolean>;
}

export function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'log' | 'baseUrl' | 'cacheEntries', typeof s3Settings>,
  needs: S3Needs,
): OpenedArea {
  const { db, vault, clock, log, baseUrl, cacheEntries, settings } = parts;
  const { once, powers, madeKeys, environments, storage, requestLog, organizationOf, hasAccess } = needs;
  const { s3Region: region = 'us-east-1' } = settings;
  const used = new LastUsed({ db, clock, table: 's3_credentials' });
  const credentials = new Credentials({ db, vault, clock, max: cacheEntries });
  madeKeys.use(credentialsAsMadeKeys(db));
  environments.use({ remove: (tx, { id }) => dropCredentials(tx, id) });
  const names = new Cached<string | null>({
    notifications: db.notifications,
    max: cacheEntries,
    topics: ['application', 'application_profile'] as const,
    load: async (id) => (isId(id) ? ((await findApplication(db, id))?.name ?? null) : null),
  });
  const deps: S3Deps = {
    ...storage,
    ...{ log, credentials, used, requestLog, organizationOf, hasAccess },
    signingKeys: new SigningKeys(),
    region,
    anyRegion: settings.s3AnyRegion,
    toTrash: settings.s3Trash,
    uploadSeconds: settings.s3UploadLifetime,
    dayMilliseconds: settings.s3LifecycleDay * 1000,
    nameOf: async (id) => names.get(id),
  };
  const published = settings.s3Domain?.toLowerCase();
  // Whatever the port: hosts are compared by their names.
  const domain = published?.replace(/:\d+$/, '');
  const { waitSeconds, trustedProxies } = needs;
  const server = new S3Server(deps, { domain, waitSeconds, trustedProxies });
  const connection = () => ({
    endpoint: `${baseUrl}/s3`,
    rootEndpoint: published === undefined ? null : `${new URL(baseUrl).protocol}//${published}`,
    region,
  });
  const isTestDay = settings.s3LifecycleDay < 86_400;
  return {
    routes: [
      credentialRoutes({
        ...{ db, vault, clock, once, powers, environments, used, connection },
        ...{ limit: settings.s3Credentials, buckets: storage.buckets },
      }),
      pathRoutes(deps),
    ],
    listeners: [
      {
        name: 's3',
        listen: ({ port = settings.s3Port } = {}) => server.listen(settings.s3Host ?? '127.0.0.1', port),
        drain: () => server.drain(),
        close: () => server.close(),
      },
    ],
    tasks: [
      { everySeconds: 10, name: 'note the use of S3 credentials', work: () => used.flush() },
      ...(isTestDay
        ? [
            {
              everySeconds: Math.max(1, Math.floor(settings.s3LifecycleDay / 4)),
              name: 'apply lifecycle rules by short days',
              work: () => applyLifecycles(storage, deps.dayMilliseconds),
            },
          ]
        : []),
    ],
    close: () =>
      used
        .flush({ all: true })
        .catch((err) => log.warn({ err }, 'The last use of S3 credentials was not noted.')),
  };
}
