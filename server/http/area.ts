import type { FastifyPluginAsync } from 'fastify';
import type { SettingGroup } from '#core/settings.ts';
import type { SealedColumn } from '#core/vault.ts';

/**
 * What an area is before anything is opened: enough for the commands that open none (`backup`, `rotate-keys`, the
 * settings page). Its `index.ts` exports one of these beside `open(platform, needs)`.
 */
export interface Area {
  /** Under the heading that docs/settings.md gives them. */
  settings?: { heading: string; group: SettingGroup };
  /** Held by a backup; those that others refer to first. */
  tables?: readonly string[];
  /** Left out of a backup: what lives for minutes, or is asked for again. */
  transientTables?: readonly string[];
  /** What the vault has encrypted, for encrypting it again when its keys rotate. */
  sealedColumns?: readonly SealedColumn[];
}

/** Every node runs every task, so its work must bear being run twice at once. */
export interface Task {
  everySeconds: number;
  /** As the log names it: "sweep invitations". */
  name: string;
  work(): Promise<unknown>;
}

/** A port besides the API's own, opened by `serve` after the API's and closed before it. */
export interface Listener {
  /** As the log names it: "stored files". */
  name: string;
  /** Resolves with the address that it listens on: `http://127.0.0.1:4002`. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** What `open(platform, needs)` of an area returns, besides the services that later areas need of it. */
export interface OpenedArea {
  routes?: readonly FastifyPluginAsync[];
  tasks?: readonly Task[];
  listeners?: readonly Listener[];
  /** Deletes what the area holds of an application whose grace is over. Repeatable; outside of any transaction. */
  purgeApplication?(applicationId: string): Promise<void>;
  /** Part of `GET /readyz`; throws when it is away. */
  checks?: readonly { name: string; check(): Promise<unknown> }[];
  close?(): Promise<void>;
}
