import type { AuditRecord } from '@mainstay/sdk';

export const sentences: Record<string, string> = {
  'user.created': 'Account created',
  'user.updated': 'Account changed by an operator',
  'user.profile_updated': 'Name or picture changed',
  'user.email_updated': 'E-mail address changed',
  'user.email_verified': 'E-mail address confirmed',
  'session.created': 'Signed in',
  'session.deleted': 'Session ended',
  'password.created': 'Password set',
  'password.updated': 'Password changed',
  'password.deleted': 'Password removed',
  'password.reset_link_created': 'Password reset requested',
  'passkey.created': 'Passkey added',
  'passkey.updated': 'Passkey renamed',
  'passkey.deleted': 'Passkey removed',
  'two_factor.enabled': 'Authenticator app turned on',
  'two_factor.disabled': 'Authenticator app turned off',
  'two_factor.locked': 'Too many wrong codes: sign-in by code temporarily locked',
  'two_factor.recovery_codes_updated': 'Recovery codes created or used',
  'provider.linked': 'External sign-in provider linked',
  'provider.unlinked': 'External sign-in provider unlinked',
  'oauth_grant.created': 'OAuth app authorized',
  'oauth_grant.revoked': 'Access of an OAuth app revoked',
};

/** What happened, for the person whom it happened to. A newer server may know actions that are not here: those by name. */
export function historySentence({ action, details }: AuditRecord): string {
  const sentence = sentences[action] ?? action;
  const about = ['name', 'provider', 'clientId', 'email'].map((name) => details[name]);
  const named = about.find((value) => typeof value === 'string' && value !== '');
  return named === undefined ? sentence : `${sentence}: ${named}`;
}
