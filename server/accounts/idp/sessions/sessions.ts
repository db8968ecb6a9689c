import { createHmac, randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Auth } from '#core/actor.ts';
import { Cached } from '#core/cached.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import type { LastUsed } from '#core/last-used.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { scopesFor } from '#core/scopes.ts';
import type { Vault } from '#core/vault.ts';
import { invalidToken } from '#http/access.ts';
import { cookieOf, demandOwnPage } from '#http/browser.ts';
import { PeopleProblem } from '../errors.ts';
import { findByDigest, renew, sessionTopic } from './store.ts';

/** What is needed to decide whether a session is valid. */
export interface SessionState {
  id: string;
  userId: string;
  digest: string;
  suspended: boolean;
  /** Of the user; it stands as long as the user has no higher one. */
  epoch: number;
  /** Milliseconds, like the rest. */
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  /** What the API lets its bearer do: everything that the user may. */
  auth: Auth;
}

/** The sessions of browsers as this node knows them; their end reaches it as a notification. */
export class Sessions {
  readonly cookieName: string;
  readonly #briefCookieName: string;
  readonly #origin: string;
  readonly #clock: Clock;
  readonly #vault: Vault;
  readonly #idleMilliseconds: number;
  readonly #freshMilliseconds: number;
  readonly #lastUsed: LastUsed;
  readonly #states: Cached<SessionState | null>;

  constructor(deps: {
    db: Db;
    vault: Vault;
    clock: Clock;
    lastUsed: LastUsed;
    baseUrl: string;
    idleSeconds: number;
    freshSeconds: number;
    max: number;
  }) {
    const { db, baseUrl } = deps;
    this.cookieName = cookieName(baseUrl, 'session');
    this.#briefCookieName = `${cookieName(baseUrl, 'auth')}.dont_remember`;
    this.#origin = new URL(baseUrl).origin;
    this.#clock = deps.clock;
    this.#vault = deps.vault;
    this.#idleMilliseconds = deps.idleSeconds * 1000;
    this.#freshMilliseconds = deps.freshSeconds * 1000;
    this.#lastUsed = deps.lastUsed;
    this.#states = new Cached({
      notifications: db.notifications,
      max: deps.max,
      topics: [sessionTopic],
      sweepingTopics: ['user'],
      load: (digest) => load(db, digest),
    });
  }

  /** The session of a request to the API; undefined when it carries none. Throws what `http/access.ts` may throw. */
  authenticate(request: FastifyRequest): Maybe<Auth> | undefined {
    const token = this.#token(request);
    if (token === undefined) return undefined;
    demandOwnPage(request, this.#origin);
    const state = this.#find(token);
    return andThen(state, accepted);
  }

  /** The session of a request that stands; null when there is none. Says nothing of whether a page of ours sent it. */
  async ofRequest(request: FastifyRequest): Promise<SessionState | null> {
    const token = this.#token(request);
    return token === undefined ? null : this.#find(token);
  }

  /** The same for what a page of ours asks; refuses what another site sent. */
  async ofPage(request: FastifyRequest): Promise<SessionState | null> {
    demandOwnPage(request, this.#origin);
    return this.ofRequest(request);
  }

  /** The same where nothing can be done without a session. */
  async demand(request: FastifyRequest): Promise<SessionState> {
    const session = await this.ofPage(request);
    if (session) return session;
    throw new PeopleProblem('unauthenticated', 'UNAUTHENTICATED', 'Sign in first.');
  }

  /** Whether the person proved lately who they are: what could take the account over needs that. */
  isFresh(state: SessionState): boolean {
    return this.#clock.now() - state.createdAt < this.#freshMilliseconds;
  }

  /** Throws unless the session is fresh. */
  demandFresh(state: SessionState): void {
    if (this.isFresh(state)) return;
    const sentence = 'Sign in again first: this requires a recent sign-in.';
    throw new PeopleProblem('forbidden', 'SESSION_NOT_FRESH', sentence);
  }

  /**
   * The same session with another token, in the epoch that its user has now; for who ends everything else of theirs.
   * Returns the Set-Cookie of it.
   */
  async renew(tx: Tx, request: FastifyRequest, state: SessionState, epoch: number): Promise<string> {
    const token = Array.from({ length: 32 }, () => tokenAlphabet[randomInt(tokenAlphabet.length)]).join('');
    const now = this.#clock.now();
    const changes = { token_digest: sessionDigest(this.#vault, token), epoch, updated_at: now };
    await renew(tx, state, changes);
    const signature = createHmac('sha256', cookieSecret(this.#vault)).update(token).digest('base64');
    // A browser that was told to forget it when it closes is not told otherwise.
    const isBrief = cookieOf(request, this.#briefCookieName) !== undefined;
    const maxAge = isBrief ? '' : `; Max-Age=${Math.ceil((state.expiresAt - now) / 1000)}`;
    return `${this.cookieName}=${encodeURIComponent(`${token}.${signature}`)}${maxAge}${this.#attributes()}`;
  }

  /** The Set-Cookie that makes the browser forget it. */
  expiredCookie(): string {
    return `${this.cookieName}=; Max-Age=0${this.#attributes()}`;
  }

  #attributes(): string {
    return `; Path=/; HttpOnly; SameSite=Lax${this.cookieName.startsWith('__Host-') ? '; Secure' : ''}`;
  }

  /** When it expires if it is not used. */
  idleUntil(state: { id: string; lastUsedAt: number; expiresAt: number }): number {
    const usedAt = Math.max(state.lastUsedAt, this.#lastUsed.notedAt(state.id) ?? 0);
    return Math.min(state.expiresAt, usedAt + this.#idleMilliseconds);
  }

  #find(token: string): Maybe<SessionState | null> {
    const digest = sessionDigest(this.#vault, token);
    return andThen(this.#states.get(digest), (state) => this.#standing(state));
  }

  #standing(state: SessionState | null): SessionState | null {
    if (!state || state.suspended || this.idleUntil(state) <= this.#clock.now()) return null;
    this.#lastUsed.note(state.id);
    return state;
  }

  /** better-auth signs the cookie, `<token>.<signature>`; the token alone has 190 random bits. */
  #token(request: FastifyRequest): string | undefined {
    return /^[A-Za-z0-9]{32}(?=\.|%2E|$)/.exec(cookieOf(request, this.cookieName) ?? '')?.[0];
  }
}

/** Cookies of https sites carry a name that ties them to this very host (RFC 6265bis, 4.1.3.2). */
export function cookieName(baseUrl: string, name: string): string {
  return `${baseUrl.startsWith('https:') ? '__Host-' : ''}mainstay.${name}`;
}

/** What better-auth signs its cookies with. */
export function cookieSecret(vault: Vault): string {
  return vault.hash('better-auth', 1).digest.toString('base64url');
}

const tokenAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function sessionDigest(vault: Vault, token: string): string {
  return vault.hash(`session ${token}`, 1).digest.toString('base64url');
}

function accepted(state: SessionState | null): Auth {
  if (!state) throw invalidToken('The session has ended. Sign in again.');
  return state.auth;
}

async function load(db: Db, digest: string): Promise<SessionState | null> {
  const row = await findByDigest(db, digest);
  if (!row) return null;
  const actor = {
    type: 'user',
    id: row.user_id,
    organizationId: null,
    applicationId: null,
    environmentId: null,
  } as const;
  return {
    id: row.id,
    userId: row.user_id,
    digest,
    suspended: row.suspended_at !== null,
    epoch: row.epoch,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    auth: {
      actor,
      scopes: new Set(scopesFor('user', { operator: row.is_operator === 1 })),
      through: 'session',
      clientId: row.id,
      tokenId: row.id,
      grantId: null,
      provenAt: row.created_at,
    },
  };
}
