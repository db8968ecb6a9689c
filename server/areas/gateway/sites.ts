import { LRUCache } from 'lru-cache';
import { hostnameTopic } from '#accounts/applications/service.ts';
import { type Manifest, readManifest } from '#areas/deployments/service.ts';
import type { Blobs } from '#core/blobs.ts';
import { Cached } from '#core/cached.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { Maybe } from '#core/maybe.ts';
import { compileRoutes } from './routes/compile.ts';
import { type RouteTable, routeTable } from './routes/decide.ts';
import { fromFileName } from './routes/pathname.ts';
import type { Published } from './routes/route.ts';
import { findHost, type HostRow, isKnownHost } from './store.ts';

/** A deployment as the gateway answers for it: immutable, so it is kept as long as there is room. */
export interface Site {
  manifest: Manifest;
  routes: RouteTable;
  published: Published;
}

/** Where a hostname leads; `known`: an application has it, and nothing is live there. */
export type Host = (HostRow & { kind: 'live' }) | { kind: 'known' } | { kind: 'unknown' };

const maxHosts = 10_000;
const siteBytes = 128 * 1024 * 1024;

export class Sites {
  readonly #blobs: Blobs;
  readonly #hosts: Cached<Host>;
  /** What each led to when that was read last: the gateway continues by it while the database is away. */
  readonly #lastKnown = new LRUCache<string, Host>({ max: maxHosts });
  readonly #sites = new LRUCache<string, Site>({ maxSize: siteBytes });
  readonly #loading = new Map<string, Promise<Site>>();

  constructor({
    db,
    blobs,
    clock,
    skewSeconds,
  }: { db: Db; blobs: Blobs; clock: Clock; skewSeconds: number }) {
    this.#blobs = blobs;
    this.#hosts = new Cached<Host>({
      notifications: db.notifications,
      max: maxHosts,
      topics: [hostnameTopic],
      sweepingTopics: ['application', 'organization', 'environment_protection'],
      load: async (name) => {
        const host = await read(name);
        if (host.kind === 'live') this.#lastKnown.set(name, host);
        else this.#lastKnown.delete(name);
        return host;
      },
    });
    const read = async (name: string): Promise<Host> => {
      // A domain that was added as `*.example.com` holds the names right below it that nobody has by themselves.
      const wildcard = name.includes('.') ? [`*${name.slice(name.indexOf('.'))}`] : [];
      for (const candidate of [name, ...wildcard]) {
        const row = await findHost(db, candidate, clock.now() - skewSeconds * 1000);
        if (row) return { kind: 'live', ...row };
        if (await isKnownHost(db, candidate)) return { kind: 'known' };
      }
      return { kind: 'unknown' };
    };
  }

  /** By the name of the hostname's row: a label, or a domain of its owner's. */
  host(name: string): Maybe<Host> {
    const found = this.#hosts.get(name);
    if (!(found instanceof Promise)) return found;
    return found.catch((error) => {
      const known = this.#lastKnown.get(name);
      if (!known) throw error;
      return known;
    });
  }

  site(artefact: string): Maybe<Site> {
    const known = this.#sites.get(artefact);
    if (known) return known;
    const loading = this.#loading.get(artefact);
    if (loading !== undefined) return loading;
    const started = this.#load(artefact).finally(() => this.#loading.delete(artefact));
    this.#loading.set(artefact, started);
    return started;
  }

  async #load(artefact: string): Promise<Site> {
    const { manifest, bytes } = await readManifest(this.#blobs, artefact);
    const site = {
      manifest,
      routes: routeTable(compileRoutes(manifest.routes)),
      published: publishedOf(manifest),
    };
    // Objects take about three times the room of their text.
    this.#sites.set(artefact, site, { size: bytes * 3 + 1 });
    return site;
  }
}

export function publishedOf({ files, functions, assetFolders }: Manifest): Published {
  const names = new Set(functions.map(({ name }) => name));
  return {
    hasFile: (path) => Object.hasOwn(files, path),
    hasFunction: (name) => names.has(name),
    pathOf: (name) => {
      for (const { folder, prefix } of assetFolders) {
        if (folder !== '.' && !name.startsWith(`${folder}/`)) continue;
        const rest = folder === '.' ? name : name.slice(folder.length + 1);
        const path = fromFileName(`/${prefix === '' ? '' : `${prefix}/`}${rest}`);
        if (Object.hasOwn(files, path)) return path;
      }
      return null;
    },
    functionCount: functions.length,
  };
}
