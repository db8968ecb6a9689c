import { Cached } from '#core/cached.ts';
import type { Db } from '#core/db.ts';
import { isId } from '#core/ids.ts';
import { type ClientRow, find } from './client-store.ts';
import { isAllowedRedirect, outOfBand } from './redirects.ts';
import { grantableScopes } from './scopes.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: client id. */
    oauth_client: true;
  }
}

/** A program that people may let act for them. */
export interface Client {
  id: string;
  name: string;
  /** Ours: part of what the person trusts already. */
  firstParty: boolean;
  /** Null: public, it cannot keep a secret. */
  secret: { digest: Uint8Array; version: number } | null;
  scopes: ReadonlySet<string>;
  allowsRedirect(uri: string): boolean;
}

/** Notification of one client: the key is its id. */
export const clientTopic = 'oauth_client';

/** The id that command lines carry which know no other instance's. */
const commandLineId = '0195c11c-0000-7000-8000-000000000001';

export type Clients = (id: string) => Promise<Client | null>;

/** The clients of this instance: those that operators registered, and the command line, which every instance has. */
export function clients(deps: {
  db: Db;
  max: number;
  commandLine: { id: string; redirectUris: readonly string[] };
}): Clients {
  const { db, max } = deps;
  const commandLine: Omit<Client, 'id'> = {
    name: 'Mainstay command line',
    firstParty: true,
    secret: null,
    // All that can be granted. Nothing of an operator's is: who runs an instance by it uses an API key.
    scopes: new Set(grantableScopes),
    allowsRedirect: (uri) =>
      uri === outOfBand || isAllowedRedirect(uri, deps.commandLine.redirectUris, { anyLoopback: true }),
  };
  const registered = new Cached<Client | null>({
    notifications: db.notifications,
    max,
    topics: [clientTopic],
    async load(id) {
      const row = isId(id) ? await find(db, id) : undefined;
      return row ? toClient(row) : null;
    },
  });
  // Each under the id that it presents: the audience of its ID tokens.
  const commandLines = new Map(
    [deps.commandLine.id, commandLineId].map((id) => [id, { ...commandLine, id }]),
  );
  return async (id) => commandLines.get(id) ?? registered.get(id);
}

function toClient(row: ClientRow): Client {
  const uris = JSON.parse(row.redirect_uris) as string[];
  const { secret_digest: digest, hash_version: version } = row;
  return {
    id: row.id,
    name: row.name,
    firstParty: false,
    secret: digest && version !== null ? { digest, version } : null,
    scopes: new Set(row.scopes.split(' ')),
    allowsRedirect: (uri) => isAllowedRedirect(uri, uris, { anyLoopback: false }),
  };
}
