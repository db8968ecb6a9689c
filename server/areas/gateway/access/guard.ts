import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { verifyPassword } from '#accounts/users/service.ts';
import type { Clock } from '#core/clock.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import type { Vault } from '#core/vault.ts';
import type { HostRow, ProtectionRow } from '../store.ts';
import type { Tickets } from './tickets.ts';

export const accessPath = '/_mainstay/access';
const accessCookie = '__mainstay_access';
const stateCookie = '__mainstay_state';
const bypassHeader = 'x-mainstay-protection-bypass';
export const shareParameter = 'mainstay-share';

const visitMilliseconds = 12 * 3600 * 1000;
const stateSeconds = 600;
const maxPasswordBytes = 4096;
/** Wrong passwords from one address for one environment. */
const maxAttempts = 10;
const attemptsWindow = 60_000;

/** What the gateway does with a visitor: continue, lead elsewhere, or show the door. */
export type Verdict =
  | { kind: 'open' }
  | { kind: 'redirect'; location: string; cookies: readonly string[] }
  | {
      kind: 'door';
      cookies: readonly string[];
      state: string;
      takesPassword: boolean;
      problem: 'wrong' | 'tooMany' | null;
    };

export interface Visitor {
  host: HostRow & { protection: ProtectionRow };
  request: IncomingMessage;
  address: string;
  scheme: 'http' | 'https';
}

/**
 * Lets visitors see a protected environment: by a cookie that a sign-in on the instance, a password or a shared link gave
 * them, or, for programs, by a token in each request. Nothing here asks the database.
 */
export class Guard {
  readonly #vault: Vault;
  readonly #clock: Clock;
  readonly #tickets: Tickets;
  readonly #attempts: LazyLru<string, number>;

  constructor({ vault, clock, tickets }: { vault: Vault; clock: Clock; tickets: Tickets }) {
    this.#vault = vault;
    this.#clock = clock;
    this.#tickets = tickets;
    this.#attempts = new LazyLru({ max: 10_000, ttl: attemptsWindow, perf: { now: () => clock.now() } });
  }

  async check(visitor: Visitor): Promise<Verdict> {
    const { host, request } = visitor;
    const { protection } = host;
    const [path = '', query = ''] = (request.url ?? '/').split(/\?(.*)/s);
    const parameters = new URLSearchParams(query);
    if (this.#hasBypass(request, parameters, protection)) return { kind: 'open' };
    if (path === accessPath) return this.#arrive(visitor, parameters);
    const share = parameters.get(shareParameter);
    if (share !== null) {
      const ticket = this.#tickets.open('share', share);
      if (ticket && belongs(ticket, host)) {
        parameters.delete(shareParameter);
        const rest = parameters.toString();
        return this.#enter(visitor, ownPath(rest === '' ? path : `${path}?${rest}`), ticket.exp);
      }
    }
    const visit = this.#tickets.open('visit', cookie(request, accessCookie));
    if (visit && belongs(visit, host)) return { kind: 'open' };
    return this.#door(visitor, null);
  }

  #hasBypass(request: IncomingMessage, parameters: URLSearchParams, protection: ProtectionRow): boolean {
    const sent = request.headers[bypassHeader] ?? parameters.get(bypassHeader);
    const { bypass_digest: digest, bypass_version: version } = protection;
    if (typeof sent !== 'string' || digest === null || version === null) return false;
    return this.#vault.matches(bypassText(sent), { digest, version: Number(version) });
  }

  /** From the sign-in on the instance, or with a password. */
  async #arrive(visitor: Visitor, parameters: URLSearchParams): Promise<Verdict> {
    const { host, request, address } = visitor;
    if (request.method === 'POST') {
      const { password: stored } = host.protection;
      if (stored === null) return this.#door(visitor, null);
      const counted = `${host.environmentId} ${address}`;
      const attempts = this.#attempts.get(counted) ?? 0;
      if (attempts >= maxAttempts) return this.#door(visitor, 'tooMany');
      const form = await readForm(request);
      this.#attempts.set(counted, attempts + 1, { noUpdateTTL: attempts > 0 });
      if (!(await verifyPassword(form.get('password') ?? '', stored))) return this.#door(visitor, 'wrong');
      this.#attempts.delete(counted);
      return this.#enter(visitor, ownPath(form.get('to')));
    }
    const ticket = this.#tickets.open('arrival', parameters.get('ticket') ?? undefined);
    const state = cookie(request, stateCookie);
    // The browser that arrives is the one that was sent to sign in: a link with somebody else's ticket opens nothing.
    const isOurs =
      ticket !== null && ticket.host === host.name && ticket.state === state && belongs(ticket, host);
    return isOurs ? this.#enter(visitor, ownPath(parameters.get('to'))) : this.#door(visitor, null);
  }

  #enter({ host, scheme }: Visitor, location: string, until?: number): Verdict {
    const { environmentId, protection } = host;
    const expiresAt = Math.min(until ?? Number.POSITIVE_INFINITY, this.#clock.now() + visitMilliseconds);
    const ticket = this.#tickets.make('visit', { environmentId, epoch: protection.epoch }, expiresAt);
    const seconds = Math.max(1, Math.floor((expiresAt - this.#clock.now()) / 1000));
    const cookies = [
      setCookie(accessCookie, ticket, { seconds, scheme }),
      setCookie(stateCookie, '', { seconds: 0, scheme }),
    ];
    return { kind: 'redirect', location, cookies };
  }

  #door({ host, request, scheme }: Visitor, problem: 'wrong' | 'tooMany' | null): Verdict {
    const state = cookie(request, stateCookie) || randomBytes(16).toString('base64url');
    return {
      kind: 'door',
      cookies: [setCookie(stateCookie, state, { seconds: stateSeconds, scheme })],
      ...{ state, problem, takesPassword: host.protection.password !== null },
    };
  }
}

/** What is hashed of a token of automation. */
export function bypassText(token: string): string {
  return `gateway bypass ${token}`;
}

function belongs(ticket: { environmentId: string; epoch: number }, host: Visitor['host']): boolean {
  return ticket.environmentId === host.environmentId && ticket.epoch === host.protection.epoch;
}

/** A path of this host and nothing else: two slashes would lead to another server. */
function ownPath(to: string | null): string {
  const path = (to ?? '').replace(/[\t\r\n]/g, '');
  return path.startsWith('/') && !/^\/[/\\]/.test(path) ? path : '/';
}

function cookie(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

function setCookie(
  name: string,
  value: string,
  { seconds, scheme }: { seconds: number; scheme: 'http' | 'https' },
): string {
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > maxPasswordBytes) break;
  }
  return new URLSearchParams(text);
}
