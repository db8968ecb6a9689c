import type { Tables } from '#core/db.ts';

/** Every table that a backup holds: those that others refer to first. A test compares this list with the database. */
export const tables: readonly (keyof Tables & string)[] = [
  'vault_keys',
  'signing_keys',
  'users',
  'accounts',
  'organizations',
  'memberships',
  'applications',
  'environments',
  'application_pictures',
  'hostnames',
  'api_keys',
  'api_key_secrets',
  'revoked_tokens',
  'idempotency_keys',
  'audit_log',
  'images',
  'invitations',
  'entitlements',
  'subscriptions',
  'instance_settings',
  'env_vars',
  'env_var_versions',
  'reputation_overrides',
  'user_pictures',
  'two_factors',
  'passkeys',
  'oauth_clients',
  'oauth_grants',
];

/**
/**
 * What a backup leaves out: news is over once it was heard, migrations are in the manifest, answers of registries are
 * asked for again, and what lives for minutes or was ended since had better not come back: people sign in again.
 */
export const transientTables: readonly string[] = [
  'news',
  'migrations',
  'whois_answers',
  'sessions',
  'verifications',
  'oauth_codes',
  'oauth_devices',
  'attempts',
];
