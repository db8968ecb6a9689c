import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { BlobSpaces } from '#core/blobs.ts';
import type { Cache } from '#core/cache.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { LogStore } from '#core/log-store.ts';
import type { Mailer } from '#core/mailer.ts';
import type { Runner } from '#core/runner.ts';
import type { ServiceEngine, ServiceKind } from '#core/service-engine.ts';
import type { SettingGroup, SettingsOf } from '#core/settings.ts';
import type { SealedColumn, Vault } from '#core/vault.ts';

/**
 * What an area is before anything is opened: enough for the commands that open none (`backup`, `rotate-keys`, the
 * settings page). Its `index.ts` exports one of these as `area`, beside `open(parts, needs)`.
 */
export interface Area {
  settings?: SettingsSection;
  /** Held by a backup; those that others refer to first. */
  tables?: readonly string[];
  /** Left out of a backup: what lives for minutes, or is asked for again. */
  transientTables?: readonly string[];
  /** What the vault has encrypted, for encrypting it again when its keys rotate. */
  sealedColumns?: readonly SealedColumn[];
  /** Products of the registry that are ours, by slug, with the name that people read. */
  products?: Readonly<Record<string, string>>;
}

interface SettingsSection {
  /** Of docs/settings.md; areas with the same heading share a table. */
  heading: string;
  group: SettingGroup;
  /** What is wrong between settings that are right alone, in a sentence. */
  // biome-ignore lint/suspicious/noExplicitAny: each section takes the values of its own group.
  check?(settings: any): string | undefined;
}

/** The ground that areas stand on. The `open` of an area names what it uses of it: see `Parts`. */
export interface Ground {
  db: Db;
  vault: Vault;
  clock: Clock;
  log: Logger;
  cache: Cache;
  /** Bytes of stored files and of deployments. */
  blobs: BlobSpaces;
  /** Answered requests, lines of deployments, AI usage. */
  logs: LogStore;
  /** Null where the operator has set no mail server. */
  mailer: Mailer | null;
  /** Null where this instance runs no code of users. */
  runner: Runner | null;
  /** Engines of which deployments may ask for a part. */
  serviceEngines: ReadonlyMap<ServiceKind, ServiceEngine>;
  /** Public address of the instance, without a slash at the end. */
  baseUrl: string;
  dataDir: string;
  /** Of this program. */
  version: string;
  /** Whether Prometheus metrics are kept. */
  metrics: boolean;
  /** How many entries a cache of keys, memberships or the like may hold. */
  cacheEntries: number;
}

/** Those pieces of the ground, and the settings of that group: `Parts<'db' | 'clock', typeof cacheSettings>`. */
export type Parts<K extends keyof Ground, S extends SettingGroup = Record<never, never>> = Pick<Ground, K> & {
  settings: SettingsOf<S>;
};

/** Every node runs every task, so its work must bear being run twice at once. */
interface Task {
  everySeconds: number;
  /** As the log names it: "sweep invitations". */
  name: string;
  work(): Promise<unknown>;
}

/** A port besides the API's own, opened by `serve` after the API's and closed before it. */
export interface Listener {
  /** As the log and the tests name it: "stored files". */
  name: string;
  /** Resolves with the address that it listens on: `http://127.0.0.1:4002`. Port 0 takes a free one. */
  listen(options?: { port?: number }): Promise<string>;
  /** The server is about to stop: requests are still taken, and their answers ask for no further one on the connection. */
  drain(): void;
  close(): Promise<void>;
}

/** What `open(parts, needs)` of an area returns, besides the services that later areas need of it. */
export interface OpenedArea {
  routes?: readonly FastifyPluginAsync[];
  tasks?: readonly Task[];
  listeners?: readonly Listener[];
  /** Deletes what the area holds of an application whose grace is over. Repeatable; outside of any transaction. */
  purgeApplication?(applicationId: string): Promise<void>;
  /** Origins that pages of the dashboard send to, and show content of, besides their own. */
  pageOrigins?(): readonly string[];
  /** Part of `GET /readyz`; throws when it is away. */
  checks?: readonly { name: string; check(): Promise<void> }[];
  /** After the last request and the last task. Areas close in the reverse of the order in which they were opened. */
  close?(): Promise<void>;
}
