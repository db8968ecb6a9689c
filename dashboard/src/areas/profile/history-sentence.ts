import type { AuditRecord } from '@mainstay/sdk';

export const sentences: Record<string, string> = {
  'user.created': 'The account was made',
  'user.updated': 'An operator changed the account',
  'user.profile_updated': 'The name or picture was changed',
  'user.email_updated': 'The e-mail address was changed',
  'user.email_verified': 'The e-mail address was confirmed',
  'session.created': 'Signed in',
  'session.deleted': 'A session ended',
  'password.created': 'A password was set',
  'password.updated': 'The password was changed',
  'password.deleted': 'The password was removed',
  'password.reset_link_created': 'A link to set a new password was asked for',
  'passkey.created': 'A passkey was added',
  'passkey.updated': 'A passkey was renamed',
  'passkey.deleted': 'A passkey was removed',
  'two_factor.enabled': 'The authenticator app was turned on',
  'two_factor.disabled': 'The authenticator app was turned off',
  'two_factor.locked': 'Too many wrong codes: sign-in by code was locked for a while',
  'two_factor.recovery_codes_updated': 'Recovery codes were made or used',
  'provider.linked': 'Sign-in by an external provider was added',
  'provider.unlinked': 'Sign-in by an external provider was removed',
  'oauth_grant.created': 'An OAuth app was allowed',
  'oauth_grant.revoked': 'The access of an OAuth app was revoked',
};

/** What happened, for the person whom it happened to. A newer server may know actions that are not here: those by name. */
export function historySentence({ action, details }: AuditRecord): string {
  const sentence = sentences[action] ?? action;
  const about = ['name', 'provider', 'clientId', 'email'].map((name) => details[name]);
  const named = about.find((value) => typeof value === 'string' && value !== '');
  return named === undefined ? sentence : `${sentence}: ${named}`;
}
