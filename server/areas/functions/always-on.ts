import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import {
  type LiveDeployment,
  liveDeployments,
  type PackagedFunction,
  readManifest,
  workloadOf,
} from '#areas/deployments/service.ts';
import type { Blobs } from '#core/blobs.ts';
import { Coalesced } from '#core/coalesced.ts';
import type { Db } from '#core/db.ts';
import type { Vault } from '#core/vault.ts';
import type { Instances } from './instances.ts';
import type { FunctionOf } from './pool.ts';

interface Deps {
  db: Db;
  vault: Vault;
  blobs: Blobs;
  log: Logger;
  instances: Instances;
}

/** Tells this node which functions keep a process running: those of live deployments of environments that are always on. */
export class AlwaysOn {
  readonly #deps: Deps;
  readonly #functions = new LRUCache<string, readonly PackagedFunction[]>({ max: 1000 });
  readonly #looks = new Coalesced(() => this.#look());
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { db, log } = deps;
    const look = () =>
      void this.look().catch((err) => log.warn({ err }, 'Functions that are always on were not looked up.'));
    db.notifications.on('deployment', look);
    db.notifications.on('environments', look);
  }

  look(): Promise<void> {
    return this.#looks.run();
  }

  async #look(): Promise<void> {
    const wanted: FunctionOf[] = [];
    for (const live of await liveDeployments(this.#deps.db, 'alwaysOn')) {
      const functions = await this.#functionsOf(live);
      for (const one of functions) wanted.push(this.#of(live, one));
    }
    if (!this.#isClosed) this.#deps.instances.keep(wanted);
  }

  #of(live: LiveDeployment, wanted: PackagedFunction): FunctionOf {
    const { organizationId, applicationId, deploymentId, variables, sources } = live;
    const sealed = { id: deploymentId, variables, variable_sources: sources };
    return {
      organizationId,
      applicationId,
      deploymentId,
      wanted,
      workload: () => workloadOf(this.#deps.vault, sealed),
    };
  }

  async #functionsOf({ artefact, deploymentId }: LiveDeployment): Promise<readonly PackagedFunction[]> {
    const known = this.#functions.get(artefact);
    if (known) return known;
    const { blobs, log } = this.#deps;
    try {
      const { functions } = (await readManifest(blobs, artefact)).manifest;
      this.#functions.set(artefact, functions);
      return functions;
    } catch (err) {
      // The others are kept all the same.
      log.warn({ err, deployment: deploymentId }, 'The functions of a deployment could not be read.');
      return [];
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looks.idle();
  }
}
