import * as admin from '#accounts/admin/index.ts';
import * as apiKeys from '#accounts/api-keys/index.ts';
import * as applications from '#accounts/applications/index.ts';
import * as auditLog from '#accounts/audit-log/index.ts';
import * as idp from '#accounts/idp/index.ts';
import * as instance from '#accounts/instance/index.ts';
import * as members from '#accounts/members/index.ts';
import * as nodes from '#accounts/nodes/index.ts';
import * as organizations from '#accounts/organizations/index.ts';
import * as products from '#accounts/products/index.ts';
import * as series from '#accounts/series/index.ts';
import * as tokens from '#accounts/tokens/index.ts';
import * as users from '#accounts/users/index.ts';
import * as vault from '#accounts/vault/index.ts';
import * as aiGateway from '#areas/ai-gateway/index.ts';
import * as deployments from '#areas/deployments/index.ts';
import * as envVars from '#areas/env-vars/index.ts';
import * as fastcache from '#areas/fastcache/index.ts';
import * as functions from '#areas/functions/index.ts';
import * as gateway from '#areas/gateway/index.ts';
import * as hostnames from '#areas/hostnames/index.ts';
import * as logDrains from '#areas/log-drains/index.ts';
import * as requestLogs from '#areas/request-logs/index.ts';
import * as runtimeCache from '#areas/runtime-cache/index.ts';
import { isRuntimeSpace } from '#areas/runtime-cache/service.ts';
import * as s3 from '#areas/s3/index.ts';
import * as schedules from '#areas/schedules/index.ts';
import * as services from '#areas/services/index.ts';
import * as storage from '#areas/storage/index.ts';
import * as webReputation from '#areas/web-reputation/index.ts';
import { imitationDetector } from '#areas/web-reputation/service.ts';
import * as whois from '#areas/whois/index.ts';
import { AddressBlocks } from '#core/addresses.ts';
import type { Tables } from '#core/db.ts';
import type { Series } from '#core/series.ts';
import type { SettingGroup, SettingsOf } from '#core/settings.ts';
import type { AccessDeps } from '#http/access.ts';
import type { Area, Ground, OpenedArea } from '#http/area.ts';
import * as http from '#http/index.ts';
import { engines } from './engine-settings.ts';

/** Every area: tables that others refer to come first, and docs/settings.md has this order. */
export const areas = [
  http.area,
  engines,
  nodes.area,
  vault.area,
  tokens.area,
  users.area,
  organizations.area,
  members.area,
  applications.area,
  hostnames.area,
  deployments.area,
  services.area,
  functions.area,
  schedules.area,
  gateway.area,
  runtimeCache.area,
  apiKeys.area,
  auditLog.area,
  series.area,
  idp.area,
  instance.area,
  products.area,
  admin.area,
  envVars.area,
  fastcache.area,
  requestLogs.area,
  logDrains.area,
  storage.area,
  s3.area,
  webReputation.area,
  whois.area,
  aiGateway.area,
] as const satisfies readonly Area[];

type SettingsOfArea<A> = A extends { settings: { group: infer G extends SettingGroup } }
  ? SettingsOf<G>
  : never;
type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;
/** What all areas read, as one: no two of them share a name. */
export type AreaSettings = Intersection<SettingsOfArea<(typeof areas)[number]>>;

const all: readonly Area[] = areas;
export const settingsSections = all.flatMap(({ settings }) => settings ?? []);
export const tables = all.flatMap((area) => area.tables ?? []) as (keyof Tables & string)[];
export const transientTables = all.flatMap((area) => area.transientTables ?? []);
export const sealedColumns = all.flatMap((area) => area.sealedColumns ?? []);
const ownProducts: Record<string, string> = Object.assign({}, ...all.map((area) => area.products ?? {}));

export interface OpenedAreas {
  areas: readonly OpenedArea[];
  access: AccessDeps;
  series: Series;
}

/** Opens every area, those that others need first, and hands each what it needs of them. */
export async function openAreas(
  ground: Ground & { settings: Omit<AreaSettings, 'baseUrl'> },
): Promise<OpenedAreas> {
  const opened: OpenedArea[] = [];
  const add = <T extends OpenedArea>(area: T): T => {
    opened.push(area);
    return area;
  };

  const { once } = add(http.open(ground));
  const { series: usage } = add(series.open(ground));
  add(await nodes.open(ground));
  add(vault.open(ground, { sealedColumns }));
  const { isOperator } = add(users.open(ground));
  const ownerOf = applications.openOwners(ground);
  const { instance: instanceSettings } = add(instance.open(ground));
  const { tenancy } = add(organizations.open(ground, { once, instance: instanceSettings, ownerOf }));
  const maxPictureBytes = ground.settings.imageLimit;
  const purge = async (applicationId: string) => {
    for (const area of opened.toReversed()) await area.purgeApplication?.(applicationId);
  };
  const { organizationGrace } = ground.settings;
  const { environments, transferred, labels } = add(
    applications.open(ground, {
      tenancy,
      once,
      purge,
      organizationGrace,
      maxPictureBytes,
      imitationDetector,
    }),
  );
  const { keys, keysUsed, powers, workloadKeys, madeKeys } = add(
    apiKeys.open(ground, { tenancy, once, freshSeconds: ground.settings.sessionFresh }),
  );
  const { mailsPerRecipient } = ground.settings;
  add(members.open(ground, { tenancy, once, powers, madeKeys, mailsPerRecipient }));
  const grants = idp.openGrants(ground);
  const { keyring, verifier, failures, secrets } = add(
    await tokens.open(ground, { keys, keysUsed, grants, series: usage }),
  );
  const { registry, entitlements } = add(await products.open(ground, { ownProducts }));
  add(auditLog.open(ground));
  const { authenticateSession } = add(
    idp.open(ground, { once, powers, madeKeys, keyring, verifier, failures, maxPictureBytes }),
  );
  add(admin.open(ground, { instance: instanceSettings, powers }));
  const { variablesOf } = add(envVars.open(ground, { once, environments, transferred }));
  add(runtimeCache.open(ground, { environmentsOf: (id) => environments.all(id) }));
  const ownerOfSpace = async (id: string) => (isRuntimeSpace(id) ? {} : ownerOf(id));
  add(
    fastcache.open(ground, { ownerOf: ownerOfSpace, organizationOf: tenancy.organizationOf, series: usage }),
  );
  const { requestLog, requests, tails, showDeploymentStates } = add(requestLogs.open(ground));
  add(logDrains.open(ground, { once, requests }));
  const { organizationOf } = tenancy;
  const trustedProxies = new AddressBlocks(ground.settings.trustedProxies);
  const hasAccess = (organizationId: string | null, product: string) =>
    entitlements.hasAccess(organizationId, product);
  const { ensureBuckets, storage: stored } = add(
    storage.open(ground, {
      ...{ once, environments, transferred, organizationOf, hasAccess, requestLog, trustedProxies },
      series: usage,
    }),
  );
  add(
    s3.open(ground, {
      ...{ once, powers, madeKeys, environments, storage: stored, requestLog, organizationOf, hasAccess },
      ...{ waitSeconds: ground.settings.waitTimeout, trustedProxies },
    }),
  );
  const { resolver } = add(await webReputation.open(ground, { once }));
  const { addresses, domainsOf } = add(hostnames.open(ground, { once, labels, resolver }));
  const { runner, settings, serviceEngines } = ground;
  const { provideServices } = add(services.open(ground, { engines: serviceEngines, runner, ownerOf }));
  const { instances } = add(functions.open(ground, { runner }));
  add(schedules.open(ground, { instances }));
  add(
    gateway.open(ground, {
      ...{ addresses, tenancy, environments, requestLog, instances },
      gatewayPort: settings.gatewayPort,
      egressAllow: settings.egressAllow,
      trustedProxies,
    }),
  );
  const { statesOf } = add(
    deployments.open(ground, {
      once,
      tenancy,
      environments,
      addresses,
      hasAccess,
      runner,
      instances,
      domainsOf,
      instanceLimits: {
        instances: settings.organizationInstances,
        memoryBytes: settings.organizationMemory || null,
      },
      tails,
      variablesOf,
      ensureBuckets,
      provideServices,
      workloadKeys,
    }),
  );
  showDeploymentStates(statesOf);
  add(await whois.open(ground));
  add(
    await aiGateway.open(ground, {
      ...{ once, tenancy, authenticateSession },
      authenticate: (token, address) => verifier.authenticate(token, address),
      authenticateSecret: (secret, address, allowed) => secrets.authenticate(secret, address, allowed),
      hasAccess: (organizationId, product) => entitlements.hasAccess(organizationId, product),
      organizationOfKey: async (id) => (await keys.get(id))?.actor.organizationId ?? null,
    }),
  );

  return {
    series: usage,
    areas: opened,
    access: {
      products: registry,
      authenticate: (token, address) => verifier.authenticate(token, address),
      authenticateSession,
      roleIn: tenancy.roleIn,
      organizationOf: tenancy.organizationOf,
      isOperator,
      hasAccess,
    },
  };
}
