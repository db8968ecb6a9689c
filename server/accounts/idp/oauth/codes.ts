import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '#core/vault.ts';
import { OAuthProblem } from '#http/oauth-errors.ts';
import { type CodeTable, findStandingCode, insertCode, setGrantOfCode } from './code-store.ts';
import type { GrantRow } from './grant-store.ts';
import { createGrant, type GrantDeps, revokeGrants } from './grants.ts';
import type { AuthorizationRequest } from './request.ts';

/** An authorization code for what the person has approved (RFC 6749, 4.1.2). Kept as a digest. */
export async function issueCode(
  deps: GrantDeps & { codeSeconds: number },
  request: AuthorizationRequest,
  person: { userId: string; authenticatedAt: number; epoch: number },
): Promise<string> {
  const { db, vault, clock, codeSeconds } = deps;
  const code = `mac_${randomBytes(32).toString('base64url')}`;
  const row: CodeTable = {
    digest: digestOf(vault, code),
    client_id: request.client.id,
    user_id: person.userId,
    redirect_uri: request.redirectUri,
    scope: request.scope,
    code_challenge: request.codeChallenge,
    nonce: request.nonce ?? null,
    grant_id: null,
    authenticated_at: person.authenticatedAt,
    epoch: person.epoch,
    expires_at: clock.now() + codeSeconds * 1000,
  };
  await db.write((tx) => insertCode(tx, row));
  return code;
}

/**
 * Exchanges a code, once. A code that comes back was stolen on one of the two occasions: what it was exchanged for ends
 * (RFC 6749, 4.1.2).
 */
export async function redeemCode(
  deps: GrantDeps,
  request: { code: string; clientId: string; redirectUri: string; verifier: string; requestId: string },
): Promise<{ grant: GrantRow; nonce: string | null }> {
  const { db, vault, clock } = deps;
  const digest = digestOf(vault, request.code);
  const redeemed = await db.write(async (tx) => {
    const code = await findStandingCode(tx, digest);
    if (!code || code.client_id !== request.clientId) return undefined;
    if (code.grant_id !== null) {
      await revokeGrants(tx, { id: code.grant_id }, { reason: 'its authorization code was reused' });
      return undefined;
    }
    const isRight =
      code.redirect_uri === request.redirectUri &&
      code.expires_at > clock.now() &&
      isVerified(request.verifier, code.code_challenge);
    if (!isRight) return undefined;
    const grant = await createGrant(tx, deps, request.requestId, {
      userId: code.user_id,
      clientId: code.client_id,
      scope: code.scope,
      authenticatedAt: code.authenticated_at,
      epoch: code.epoch ?? 0,
    });
    await setGrantOfCode(tx, digest, grant.id);
    return { grant, nonce: code.nonce };
  });
  if (redeemed) return redeemed;
  throw new OAuthProblem(
    'invalid_grant',
    'The code is not valid: it was already used or has expired, or redirect_uri or code_verifier do not match.',
  );
}

/** RFC 7636, 4.6, S256. */
function isVerified(verifier: string, challenge: string): boolean {
  const expected = Buffer.from(hash('sha256', verifier, 'base64url'));
  const given = Buffer.from(challenge);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function digestOf(vault: Vault, code: string): string {
  return vault.hash(`authorization code ${code}`, 1).digest.toString('base64url');
}
