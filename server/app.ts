import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { adminOrganizationRoutes } from '#accounts/admin/organization-routes.ts';
import { adminRoutes } from '#accounts/admin/routes.ts';
import { adminUserRoutes } from '#accounts/admin/user-routes.ts';
import { apiKeyRoutes } from '#accounts/api-keys/routes.ts';
import { scopeRoutes } from '#accounts/api-keys/scope-routes.ts';
import { keyStates, Powers } from '#accounts/api-keys/service.ts';
import { organizationIdOf } from '#accounts/applications/service.ts';
import { auditLogRoutes } from '#accounts/audit-log/routes.ts';
import { systemSource } from '#accounts/audit-log/service.ts';
import { peopleRoutes } from '#accounts/idp/routes.ts';
import { grantStates, Sessions, sweepPeople } from '#accounts/idp/service.ts';
import { Instance } from '#accounts/instance/service.ts';
import { invitationRoutes } from '#accounts/members/invitation-routes.ts';
import { memberRoutes } from '#accounts/members/routes.ts';
import { sweepInvitations } from '#accounts/members/service.ts';
import { imageRoutes } from '#accounts/organizations/image-routes.ts';
import { Organizations } from '#accounts/organizations/listing.ts';
import { organizationRoutes } from '#accounts/organizations/routes.ts';
import { purgeOrganizations, tenancy } from '#accounts/organizations/service.ts';
import { adminProductRoutes } from '#accounts/products/admin-routes.ts';
import { productRoutes } from '#accounts/products/routes.ts';
import { Entitlements, readRegistry } from '#accounts/products/service.ts';
import { tokenRoutes } from '#accounts/tokens/routes.ts';
import {
  FailureThrottle,
  Keyring,
  sweepRevokedTokens,
  TokenVerifier,
  turnKeys,
} from '#accounts/tokens/service.ts';
import { operators } from '#accounts/users/service.ts';
import { reseal } from '#accounts/vault/service.ts';
import { envVarHistoryRoutes } from '#areas/env-vars/history-routes.ts';
import { envVarRoutes } from '#areas/env-vars/routes.ts';
import { envVarTransferRoutes } from '#areas/env-vars/transfer-routes.ts';
import { Values } from '#areas/env-vars/values.ts';
import { cacheBatchRoutes } from '#areas/fastcache/batch-routes.ts';
import { cacheInspectRoutes } from '#areas/fastcache/inspect-routes.ts';
import { cacheMetrics } from '#areas/fastcache/metrics.ts';
import { cacheRoutes } from '#areas/fastcache/routes.ts';
import { forgetApplications, HitCounter, measureCache, timed } from '#areas/fastcache/service.ts';
import { adminReputationRoutes, overrideRoutes } from '#areas/web-reputation/override-routes.ts';
import { reputationRoutes } from '#areas/web-reputation/routes.ts';
import { Overrides, openReputation, registerReputationMetrics } from '#areas/web-reputation/service.ts';
import { whoisRoutes } from '#areas/whois/routes.ts';
import { Whois, whoisMetrics } from '#areas/whois/service.ts';
import { LastUsed } from '#core/last-used.ts';
import { Tasks } from '#core/tasks.ts';
import { registerAccess } from '#http/access.ts';
import { dashboardRoutes } from '#http/dashboard.ts';
import { documentationRoutes } from '#http/documentation.ts';
import { healthRoutes } from '#http/health.ts';
import { idempotency, sweepIdempotency } from '#http/idempotency.ts';
import { registerMetrics } from '#http/metrics.ts';
import { registerRateLimit } from '#http/rate-limit.ts';
import { createServer } from '#http/server.ts';
import { registerTraces } from '#http/traces.ts';
import { keyTimes, type Platform } from './platform/platform.ts';
import { sealedColumns } from './platform/sealed-columns.ts';
import { version } from './platform/version.ts';

/**
 * The HTTP application over an open platform: hooks, then a line for each area. Closing it stops its tasks; the platform
 * stays open.
 */
export async function buildApp(
  platform: Platform,
  /** Something that has to see every route, such as the generator of openapi.json. */
  options: { plugin?: (app: FastifyInstance) => PromiseLike<unknown> } = {},
): Promise<FastifyInstance> {
  const { config, log, clock, db, cache, vault, mailer } = platform;
  const { baseUrl } = config;
  const issuer = baseUrl;
  const times = keyTimes(config);

  const keyring = await Keyring.open({ db, vault, clock, times });
  const keys = keyStates({ db, max: config.keyCacheSize });
  const powers = new Powers({ keys, clock, freshSeconds: config.sessionFresh });
  const grants = grantStates({ db, max: config.keyCacheSize });
  const maxTokens = config.tokenCacheSize;
  const verifier = new TokenVerifier({ db, keys, grants, keyring, clock, issuer, maxTokens });
  const tenants = tenancy({
    db,
    max: config.keyCacheSize,
    organizationIdOf: (id) => organizationIdOf(db, id),
  });
  const failures = new FailureThrottle({ limit: config.tokenFailures, clock });
  const lastUsed = new LastUsed({ db, clock, table: 'api_keys' });
  const sessionsUsed = new LastUsed({ db, clock, table: 'sessions' });
  const idleSeconds = config.sessionIdle;
  const max = config.keyCacheSize;
  const sessions = new Sessions({
    ...{ db, vault, clock, baseUrl, idleSeconds, max },
    freshSeconds: config.sessionFresh,
    lastUsed: sessionsUsed,
  });
  const once = idempotency({ db, vault, clock });
  const registry = await readRegistry(config.productsFile);
  const entitlements = new Entitlements({ db, registry, max: config.keyCacheSize });
  const isOperator = operators({ db, max: config.keyCacheSize });
  const organizations = new Organizations({ db, baseUrl, max: config.keyCacheSize });
  const instance = new Instance({ db, defaults: config });
  const envVars = {
    db,
    values: new Values(vault),
    clock,
    limit: config.envVarLimit,
    maxBytes: config.envVarBytes,
    keepVersions: config.envVarVersions,
  };
  const { feeds, reputation } = await openReputation({ config, clock, log, version });
  const overrides = new Overrides({ db, maxBytes: config.overrideCacheBytes });
  const overriding = { db, clock, once, limit: config.overrideLimit };

  const app = createServer(config, log);
  await options.plugin?.(app);
  if (config.metrics) {
    registerMetrics(app);
    registerReputationMetrics(feeds);
  }
  if (config.tracesUrl) registerTraces(app);
  if (config.corsOrigins.length > 0) await app.register(cors, corsOptions(config.corsOrigins));
  registerAccess(app, {
    products: registry,
    authenticate: (token, address) => verifier.authenticate(token, address),
    authenticateSession: (request) => sessions.authenticate(request),
    roleIn: tenants.roleIn,
    organizationOf: tenants.organizationOf,
    isOperator: (userId) => isOperator.get(userId),
    hasAccess: (organizationId, product) => entitlements.hasAccess(organizationId, product),
  });
  registerRateLimit(app, { perMinute: config.requestsPerMinute, clock });

  await app.register(documentationRoutes());
  await app.register(
    tokenRoutes({ db, vault, clock, keys, failures, keyring, verifier, lastUsed, issuer, log }),
  );
  await app.register(apiKeyRoutes({ db, vault, clock, tenancy: tenants, powers, once, lastUsed }));
  await app.register(scopeRoutes());
  await app.register(organizationRoutes({ db, clock, once, instance, baseUrl, organizations }));
  await app.register(imageRoutes({ db, clock, baseUrl, maxBytes: config.imageLimit }));
  await app.register(memberRoutes({ db, tenancy: tenants, powers }));
  await app.register(
    invitationRoutes({
      ...{ db, vault, clock, once, mailer, baseUrl, powers },
      lifetimeSeconds: config.invitationLifetime,
    }),
  );
  await app.register(productRoutes({ db, registry, entitlements }));
  await app.register(envVarRoutes({ ...envVars, once }));
  await app.register(envVarHistoryRoutes(envVars));
  await app.register(envVarTransferRoutes(envVars));
  const cacheCounts = cacheMetrics();
  const hits = new HitCounter(cache, cacheCounts);
  const cacheDeps = { cache: timed(cache, cacheCounts), clock, hits, maxValueBytes: config.cacheValueBytes };
  await app.register(cacheRoutes(cacheDeps));
  await app.register(cacheBatchRoutes(cacheDeps));
  await app.register(cacheInspectRoutes(cacheDeps));
  await app.register(reputationRoutes({ feeds, reputation, overrides }));
  await app.register(overrideRoutes(overriding));
  await app.register(auditLogRoutes({ db }));
  await app.register(adminRoutes({ db, clock, instance, version, hasMail: mailer !== null }));
  await app.register(adminUserRoutes({ db, clock, powers }));
  await app.register(adminOrganizationRoutes({ db, clock, baseUrl }));
  await app.register(adminProductRoutes({ db, clock, registry }));
  await app.register(adminReputationRoutes({ ...overriding, feeds }));
  await app.register(
    peopleRoutes({
      ...{ db, vault, clock, log, mailer, keyring, verifier, failures, sessions, once, baseUrl, powers },
      cacheSize: config.keyCacheSize,
      maxPictureBytes: config.imageLimit,
      settings: config,
    }),
  );
  const whois = await Whois.open({ db, clock, log, metrics: whoisMetrics(), settings: config });
  await app.register(whoisRoutes({ whois }));
  await app.register(dashboardRoutes());
  await app.register(healthRoutes({ dependencies: [{ name: 'database', check: () => db.ping() }] }));

  const tasks = new Tasks(log);
  tasks.every(2, 'sweep the cache', () => cache.sweep());
  tasks.every(2, 'note hits of the cache', () => hits.flush());
  if (config.metrics) tasks.every(30, 'measure the cache', () => measureCache(cache, cacheCounts));
  tasks.every(3600, 'forget the cache of deleted applications', () =>
    forgetApplications(cache, async (id) => (await organizationIdOf(db, id)) !== null),
  );
  tasks.every(10, 'note when keys were used', () => lastUsed.flush());
  tasks.every(10, 'note when sessions were used', () => sessionsUsed.flush());
  tasks.every(60, 'turn signing keys', () => turnKeys({ db, vault, clock, times }));
  tasks.every(10, 'look for a new name index', () => feeds.reopen());
  tasks.every(60, 'refresh reputation lists', () => feeds.tend(clock.now()));
  tasks.every(300, 'sweep idempotency keys', () => sweepIdempotency(db, clock.now()));
  tasks.every(300, 'sweep revoked tokens', () => sweepRevokedTokens(db, clock.now()));
  tasks.every(300, 'sweep invitations', () => sweepInvitations(db, clock.now()));
  tasks.every(300, 'sweep what is over of people', () => sweepPeople(db, clock.now(), { idleSeconds }));
  tasks.every(3600, 'purge deleted organizations', () =>
    purgeOrganizations(db, systemSource, clock.now() - config.organizationGrace * 1000),
  );
  tasks.every(3600, 'sweep whois answers', () => whois.sweep());
  tasks.every(3600, 'finish an interrupted rotation', () =>
    reseal({ db, clock, vault, columns: sealedColumns }),
  );
  app.addHook('onClose', async () => {
    await tasks[Symbol.asyncDispose]();
    await hits.flush().catch((err) => log.warn({ err }, 'The last hits of the cache were not noted.'));
    await feeds[Symbol.asyncDispose]();
    await whois.settle();
    for (const used of [lastUsed, sessionsUsed]) {
      await used
        .flush({ all: true })
        .catch((err) => log.warn({ err }, 'The last uses of keys or sessions were not noted.'));
    }
  });
  return app;
}

function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'x-request-id',
      'retry-after',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'etag',
      'expires',
    ],
    maxAge: 86_400,
  };
}
