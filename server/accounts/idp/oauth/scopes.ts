import type { Power } from '#accounts/api-keys/service.ts';
import { scopeTexts } from '#core/scope-texts.ts';
import { isScope, scopesFor } from '#core/scopes.ts';
import { OAuthProblem } from '#http/oauth-errors.ts';

/** Scopes of OpenID Connect (Core 1.0, 5.4 and 11). `openid` is one of the platform's too. */
const identityTexts: ReadonlyMap<string, string> = new Map([
  ['profile', 'See your name and picture'],
  ['email', 'See your e-mail address'],
  ['offline_access', 'Stay signed in until you revoke it'],
]);

/** What people can grant: never what is for operators. */
export const grantableScopes: readonly string[] = [...identityTexts.keys(), ...scopesFor('user')];

export function describeScope(scope: string): string {
  return isScope(scope) ? scopeTexts[scope] : (identityTexts.get(scope) ?? scope);
}

/** What a client gets that asks for nothing in particular. */
const modest = ['openid', 'profile', 'email'];

/** The scopes asked for, each once, separated by spaces. One that the client may not have fails the request. */
export function askedScope(asked: string | undefined, allowed: ReadonlySet<string>): string {
  const wanted = [...new Set((asked ?? '').split(' ').filter(Boolean))];
  if (wanted.length === 0) return modest.filter((scope) => allowed.has(scope)).join(' ');
  const beyond = wanted.find((scope) => !allowed.has(scope));
  if (beyond === undefined) return wanted.join(' ');
  const shown = /^[\w:.-]{1,100}$/.test(beyond) ? ` ${beyond}` : '';
  throw new OAuthProblem('invalid_scope', `This client cannot request the scope${shown}.`);
}

/** What of a scope the client may still have: operators may have taken some of it back since it was granted. */
export function within(granted: string, allowed: ReadonlySet<string>): string {
  return granted
    .split(' ')
    .filter((scope) => allowed.has(scope))
    .join(' ');
}

/** What a grant of that scope lets a program do; for the question whether the person may give it. */
export function grantPower(scope: string): Power {
  return { heldBy: 'program', scopes: scope.split(' ').filter(isScope), expiresAt: null, addresses: [] };
}

export function covers(granted: string, wanted: string): boolean {
  const has = new Set(granted.split(' '));
  return wanted.split(' ').every((scope) => has.has(scope));
}
