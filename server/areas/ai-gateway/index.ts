import type { FastifyRequest } from 'fastify';
import { adminAddresses } from '#accounts/members/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { idsOfUser } from '#accounts/organizations/service.ts';
import type { Auth } from '#core/actor.ts';
import type { Tx } from '#core/db.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import type { Maybe } from '#core/maybe.ts';
import { Outgoing } from '#core/outgoing.ts';
import type { Scope } from '#core/scopes.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { AnswerCache } from './answers.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import { priceListFetcher, priceLists, readPriceFile } from './catalogue/price-list.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { explainRoutes } from './explain.ts';
import { Webhooks } from './guard/webhook.ts';
import { inferenceRoutes } from './inference-routes.ts';
import type { UsageEvent } from './ledger/event.ts';
import { Journal } from './ledger/journal.ts';
import { sweepDead } from './ledger/sweep.ts';
import { deleteOldObjects, insertObject } from './media/store.ts';
import { gatewayMetrics } from './metrics.ts';
import { modelsRoutes } from './models-routes.ts';
import { readProvidersFile } from './providers/file.ts';
import { providerRoutes } from './providers/routes.ts';
import { Providers, sealedCredentials } from './providers/service.ts';
import { Dialer } from './relay/dial.ts';
import { Health } from './relay/health.ts';
import { Limits } from './relay/limits.ts';
import { Relay } from './relay/run.ts';
import { rulesRoutes } from './rules/routes.ts';
import { RuleBook } from './rules/rules.ts';
import { Warnings } from './rules/warnings.ts';
import { aiGatewaySettings } from './settings.ts';
import { Outbox } from './usage/outbox.ts';
import { usageRoutes } from './usage/routes.ts';
import { insertEvents, writtenEvents } from './usage/store.ts';

export const area = {
  settings: { heading: 'AI gateway', group: aiGatewaySettings },
  tables: [
    'ai_providers',
    'ai_credentials',
    'ai_models',
    'ai_price_lists',
    'ai_aliases',
    'ai_policies',
    'ai_budgets',
    'ai_ledger',
    'ai_outbox',
    'ai_name_rollups',
    'ai_user_rollups',
    'ai_objects',
  ],
  // What processes hold and have under way: a restored instance has neither.
  transientTables: ['ai_processes', 'ai_leases', 'ai_pending'],
  sealedColumns: [sealedCredentials],
  products: { 'ai-gateway': 'AI gateway' },
} satisfies Area;

/** Longer than providers keep videos. */
const keptObjects = 30 * 86_400_000;

export interface Needs {
  once: Once;
  tenancy: Tenancy;
  authenticate(token: string, address: string): Maybe<Auth>;
  authenticateSecret(secret: string, address: string, allowed: ReadonlySet<Scope>): Maybe<Auth>;
  authenticateSession(request: FastifyRequest): Maybe<Auth> | undefined;
  hasAccess(organizationId: string | null, product: string): Maybe<boolean>;
  organizationOfKey(id: string): Promise<string | null>;
}

export async function open(
  parts: Parts<
    'db' | 'vault' | 'clock' | 'log' | 'mailer' | 'metrics' | 'baseUrl' | 'cache' | 'logs' | 'cacheEntries',
    typeof aiGatewaySettings
  >,
  needs: Needs,
): Promise<OpenedArea> {
  const { db, vault, clock, log, logs, mailer, cacheEntries: max, settings } = parts;
  const { once, tenancy, hasAccess } = needs;
  const fromFile = await readProvidersFile(settings.aiProvidersFile);
  const providers = new Providers({ db, vault, clock, fromFile, max });
  const { aiCatalogueFile: file, aiCatalogueUrl: url } = settings;
  const list = file === undefined ? undefined : await readPriceFile(file);
  const catalogue = new Catalogue(db, { file: list, url });
  const closing = new AbortController();
  const outgoing = new Outgoing({ allowed: settings.aiCataloguePrivateAddresses });
  const refresh = url && priceListFetcher({ db, clock, outgoing, stop: closing.signal }, url);
  const ruleBook = new RuleBook({ db, max });
  const write = (tx: Tx, events: readonly UsageEvent[]) => insertEvents(tx, db.engine, events);
  const outbox = new Outbox({ db, logs });
  const health = new Health(clock);
  const warnings = new Warnings({ log, mailer, adminsOf: (id) => adminAddresses(db, id) });
  const journal = new Journal({
    ...{ db, clock, log, write, written: writtenEvents },
    used: (tx, row) => warnings.used(tx, row),
    committed: () => void warnings.send(),
    ...(parts.metrics ? { ended: gatewayMetrics(health) } : {}),
  });
  await journal.beat();
  const dialer = new Dialer();
  const timeouts = {
    connect: settings.aiConnectTimeout * 1000,
    firstByte: settings.aiFirstByteTimeout * 1000,
    firstToken: settings.aiFirstTokenTimeout * 1000,
    idle: settings.aiIdleTimeout * 1000,
    total: settings.aiTotalTimeout * 1000,
  };
  const relay = new Relay({
    ...{ clock, log, providers, catalogue, ruleBook, journal, dialer, timeouts },
    health,
    limits: new Limits(clock),
    remember: ({ id, call, candidate, credentialId }) =>
      db.write((tx) =>
        insertObject(tx, {
          id,
          organization_id: call.caller.organizationId,
          kind: 'video',
          event_id: call.id,
          state: null,
          ...{ provider_id: candidate.provider.id, credential_id: credentialId, model: candidate.model },
          created_at: call.startedAt,
          expires_at: call.startedAt + keptObjects,
        }),
      ),
    affordableOutput: settings.aiAffordableOutput,
    answers: new AnswerCache({ cache: parts.cache, clock, log }),
    webhooks: new Webhooks({
      outgoing: new Outgoing({ allowed: settings.aiWebhookPrivateAddresses }),
      milliseconds: settings.aiWebhookTimeout * 1000,
    }),
    traceContent: settings.aiTraceContent,
    sticky: new LazyLru<string, string>({ max: 10_000, ttl: 600_000 }),
  });
  const callers = {
    ...needs,
    organizationsOf: (userId: string) => idsOfUser(db, userId, 1),
    tenancy,
    hasAccess,
  };
  const first = refresh?.().catch((err) =>
    log.warn({ err }, 'The price list of the operator could not be kept.'),
  );
  const settled = () => journal.flush();
  const stored = async () => {
    await settled();
    await outbox.move();
  };
  return {
    routes: [
      inferenceRoutes({
        ...{ callers, clock, log, relay, db, providers, dialer, timeouts, baseUrl: parts.baseUrl },
        maxBodyBytes: settings.aiBodyLimit * 1024 * 1024,
      }),
      modelsRoutes({ callers, clock, log, providers, catalogue, ruleBook }),
      providerRoutes({ db, once, providers, dialer, timeouts }),
      explainRoutes({ clock, relay, tenancy }),
      catalogueRoutes({
        db,
        clock,
        catalogue,
        refresh,
        priceLists: () => priceLists(db, { file, list, url }),
      }),
      rulesRoutes({ db, clock, tenancy, organizationOfKey: needs.organizationOfKey, settled }),
      usageRoutes({ db, logs, clock, settled, stored }),
    ],
    tasks: [
      { everySeconds: 5, name: 'say that this process of the AI gateway lives', work: () => journal.beat() },
      { everySeconds: 1, name: 'return unused parts of budgets', work: () => journal.returnIdle() },
      { everySeconds: 5, name: 'move usage of the AI gateway to the log', work: () => outbox.move() },
      {
        everySeconds: 15,
        name: 'close what dead processes of the AI gateway left',
        work: () => sweepDead({ db, clock, write }),
      },
      {
        everySeconds: 300,
        name: 'forget what providers keep no longer',
        work: () => db.write((tx) => deleteOldObjects(tx, clock.now())),
      },
      ...(refresh
        ? [{ everySeconds: 3600, name: "fetch the operator's prices of models", work: refresh }]
        : []),
    ],
    async close() {
      closing.abort();
      await first;
      dialer.close();
      await journal
        .close()
        .catch((err) => log.warn({ err }, 'The last requests of the AI gateway were not settled.'));
    },
  };
}
