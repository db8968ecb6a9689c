import type { Clock } from '#core/clock.ts';
import type { Vault } from '#core/vault.ts';

/** What a ticket is for; one of a kind is worth nothing as another. */
export interface TicketKinds {
  /** In a cookie: this browser may see the environment. */
  visit: { environmentId: string; epoch: number };
  /** From the dashboard to the hostname, for the browser that asked. */
  arrival: { host: string; environmentId: string; epoch: number; state: string };
  /** In a link that somebody passes on. */
  share: { environmentId: string; epoch: number };
  /** In an address that leads to one process. */
  sticky: { deploymentId: string; key: string; method: string; path: string };
}

const maxCharacters = 4096;

/** Signed texts that the gateway can check without asking anyone. Every node has the keys. */
export class Tickets {
  readonly #vault: Vault;
  readonly #clock: Clock;

  constructor({ vault, clock }: { vault: Vault; clock: Clock }) {
    this.#vault = vault;
    this.#clock = clock;
  }

  make<K extends keyof TicketKinds>(kind: K, claims: TicketKinds[K], expiresAt: number): string {
    const payload = Buffer.from(JSON.stringify({ ...claims, exp: expiresAt })).toString('base64url');
    const { digest, version } = this.#vault.hash(signed(kind, payload));
    return `${payload}.${version}.${digest.toString('base64url')}`;
  }

  /** Null for what is none, was changed, is of another kind or is over. */
  open<K extends keyof TicketKinds>(
    kind: K,
    text: string | undefined,
  ): (TicketKinds[K] & { exp: number }) | null {
    if (text === undefined || text.length > maxCharacters) return null;
    const [payload = '', version = '', signature = ''] = text.split('.');
    if (!/^\d{1,9}$/.test(version)) return null;
    const stored = { digest: Buffer.from(signature, 'base64url'), version: Number(version) };
    if (!this.#vault.matches(signed(kind, payload), stored)) return null;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return claims.exp > this.#clock.now() ? claims : null;
  }
}

function signed(kind: string, payload: string): string {
  return `gateway ticket ${kind} ${payload}`;
}
