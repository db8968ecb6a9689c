import type { ActorType, Scope } from '#core/scopes.ts';

/** Who acts, and inside which account. */
export interface Actor {
  readonly type: ActorType;
  readonly id: string;
  /** The organization that the actor belongs to; null for users, who belong to many. */
  readonly organizationId: string | null;
  /** For application, deployment and function actors. */
  readonly applicationId: string | null;
  readonly environmentId: string | null;
}

/** What an accepted bearer token, or session, says. */
export interface Auth {
  readonly actor: Actor;
  readonly scopes: ReadonlySet<Scope>;
  /** What proved it: a token of an API key, a token that a person gave an OAuth client, or the session of a browser. */
  readonly through: 'api_key' | 'oauth_client' | 'session';
  /** The API key or OAuth client that the token was issued to; the session's own id for a browser. */
  readonly clientId: string;
  /** The token's own id, or the session's. */
  readonly tokenId: string;
  /** Of a token that a person gave an OAuth client: what they granted. */
  readonly grantId: string | null;
  /** Of a session: when the person proved who they are, in milliseconds. */
  readonly provenAt: number | null;
}

/** A member's standing in an organization, weakest first. */
const roles = ['MEMBER', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof roles)[number];

export function roleReaches(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
