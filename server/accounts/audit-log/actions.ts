/**
 * Every action that a record can have, `<thing>.<past participle>`, and what it says. docs/audit-log.md holds this table;
 * `npm run docs` writes it. What is made, changed and ended is `created`, `updated` and `deleted` unless a truer word says
 * more. One that is renamed goes into `renamed`: older records, scripts and screens know it by its name.
 */
export const actions = {
  // Users and how they sign in
  'user.created': 'A user account was created.',
  'user.updated':
    'An operator admitted, suspended or changed a user, or changed whether they are an operator.',
  'user.profile_updated': 'A user changed their name or picture.',
  'user.email_updated': 'The e-mail address of a user was changed.',
  'user.email_verified': 'The e-mail address of a user was verified.',
  'user.deleted': 'A user account was deleted.',
  'session.created': 'A user signed in.',
  'session.deleted': 'A session ended: its user signed out, or it was ended from elsewhere.',
  'password.created': 'A user who had no password set one.',
  'password.updated': 'The password of a user was changed or reset.',
  'password.deleted': 'The password of a user was removed.',
  'password.reset_link_created': 'A link to set a new password was created.',
  'passkey.created': 'A passkey was added.',
  'passkey.updated': 'A passkey was renamed.',
  'passkey.deleted': 'A passkey was removed.',
  'two_factor.enabled': 'A user turned two-factor authentication on.',
  'two_factor.disabled': 'A user turned two-factor authentication off.',
  'two_factor.locked': 'Sign-in by code was locked for a while after too many wrong codes.',
  'two_factor.recovery_codes_updated': 'Recovery codes were regenerated, or one was used.',
  'provider.linked': 'A user linked an account of an external provider.',
  'provider.unlinked': 'A user unlinked an account of an external provider.',
  'oauth_grant.created': 'A user gave an OAuth app access.',
  'oauth_grant.revoked': 'The access of an OAuth app was revoked.',

  // Organizations
  'organization.created': 'An organization was created.',
  'organization.updated': 'The name or slug of an organization was changed.',
  'organization.image_updated': 'The picture of an organization was changed.',
  'organization.image_deleted': 'The picture of an organization was removed.',
  'organization.deleted': 'An organization was deleted; it can be restored until it is purged.',
  'organization.restored': 'A deleted organization was restored.',
  'organization.suspended': 'An operator suspended an organization.',
  'organization.unsuspended': 'An operator ended the suspension of an organization.',
  'organization.purged': 'A deleted organization was permanently removed.',
  'member.role_updated': 'The role of a member was changed.',
  'member.removed': 'A member left an organization or was removed from it.',
  'invitation.created': 'A member was invited to an organization.',
  'invitation.accepted': 'An invitation was accepted.',
  'invitation.revoked': 'An invitation was revoked.',
  'api_key.created': 'An API key was created.',
  'api_key.secret_created': 'A second secret was added to an API key: a rotation began.',
  'api_key.secret_deleted': 'A secret of an API key was deleted: a rotation was completed.',
  'api_key.revoked': 'An API key was revoked.',
  'env_var.created': 'A variable was created.',
  'env_var.updated': 'A variable was updated, or an earlier version of it restored.',
  'env_var.deleted': 'A variable was deleted.',
  'entitlement.updated': 'An operator overrode whether an organization may use a product.',
  'entitlement.deleted': 'An operator removed such an override.',
  'subscription.updated': 'The subscription of an organization to a product was changed.',
  'reputation_override.created': 'A domain was blocked or allowed whatever the threat feeds say.',
  'reputation_override.updated': 'An override of the reputation of a domain was updated.',
  'reputation_override.deleted': 'An override of the reputation of a domain was deleted.',

  // Applications
  'application.created': 'An application was created.',
  'application.updated': 'The name, slug or another property of an application was changed.',
  'application.image_updated': 'The picture of an application was changed.',
  'application.image_deleted': 'The picture of an application was removed.',
  'application.hostname_updated': 'The hostname of an application was changed.',
  'application.transferred': 'An application was transferred to another organization.',
  'application.received': 'An application was transferred from another organization to this one.',
  'application.deleted': 'An application was deleted; it can be restored until it is purged.',
  'application.restored': 'A deleted application was restored.',
  'application.purged': 'A deleted application was permanently removed.',
  'environment.created': 'An environment was created.',
  'environment.updated': 'The name, slug or branches of an environment were changed.',
  'environment.deleted': 'An environment was deleted.',
  'environment.protection_updated': 'The access protection of an environment was changed.',
  'environment.protection_bypass_created':
    'A bypass token for automation was created; the one before it is invalid.',
  'environment.protection_bypass_deleted': 'The bypass token of an environment was deleted.',
  'environment.protection_links_ended': 'All share links of a protected environment were revoked.',
  'environment.share_link_created': 'A share link to a protected environment was created.',
  'domain.created': 'A domain was added to an application.',
  'domain.verified': 'A domain was verified and is served.',
  'domain.failed': 'A domain was not verified in time, or its DNS records were missing for too long.',
  'domain.lost': 'A domain was verified by another application, and is no longer served by this one.',
  'domain.deleted': 'A domain was deleted.',
  'deployment.created': 'A deployment was created.',
  'deployment.uploaded': 'The archive of a deployment was uploaded.',
  'deployment.cancelled': 'A deployment was cancelled.',
  'deployment.redeployed': 'A deployment was created from an earlier one.',
  'deployment.promoted': 'A deployment became the live one of an environment.',
  'deployment.rolled_back': 'An environment was rolled back to an earlier deployment.',
  'deployment.crashed': 'A live deployment crashed repeatedly.',
  'deployment.images_purged': 'The cache of optimized images of a deployment was purged.',
  'deployment.deleted': 'A deployment was deleted.',
  'schedule.started': 'A function with a schedule was called by hand.',
  'gateway_cache.purged': 'Cached responses of an application were purged.',
  'service.created': 'A service that a deployment declares was created.',
  'service.deleted': 'A service was deleted with what it held.',
  'log_drain.created': 'A log drain was created.',
  'log_drain.updated': 'A log drain was updated.',
  'log_drain.deleted': 'A log drain was deleted.',
  'cache.keys_listed': 'A member or an organization key listed the keys in the cache of an application.',
  'cache.item_read': 'A member or an organization key read an item of the cache of an application.',
  'cache.item_set': 'A member or an organization key set an item of the cache of an application.',
  'cache.item_deleted': 'A member or an organization key deleted an item of the cache of an application.',
  'cache.cleared':
    'A member or an organization key deleted items of the cache of an application by a prefix.',

  // Storage
  'storage_bucket.created': 'A bucket was created.',
  'storage_bucket.updated': 'The settings of a bucket were updated.',
  'storage_bucket.webhook_secret_rotated': 'The secret that signs the webhooks of a bucket was rotated.',
  'storage_bucket.objects_deleted': 'Objects whose keys begin with a prefix were deleted.',
  'storage_bucket.object_purged': 'An object or a version of it was permanently removed.',
  'storage_bucket.trash_emptied': 'The trash of a bucket was emptied.',
  'storage_bucket.deleted': 'A bucket was deleted.',
  's3_credential.created': 'An access key for the S3 endpoint was created.',
  's3_credential.revoked': 'An access key for the S3 endpoint was revoked.',

  // AI gateway
  'ai_provider.created': 'A provider of the AI gateway was created.',
  'ai_provider.updated': 'A provider of the AI gateway was updated.',
  'ai_provider.deleted': 'A provider of the AI gateway was deleted.',
  'ai_model.updated': 'An operator changed the price or another property of a model.',
  'ai_model.reset': 'An operator reset a model to its bundled properties.',
  'ai_price_list.refreshed': 'An operator had the price list of models fetched.',
  'ai_policy.replaced': 'The policy of the AI gateway was replaced.',
  'ai_aliases.replaced': 'The model aliases of the AI gateway were replaced.',
  'ai_budgets.replaced': 'The budgets of the AI gateway were replaced.',
  'ai_budget.warned': 'A budget of the AI gateway reached a share that warns.',

  // Instance
  'instance.settings_updated': 'An operator changed the settings of the instance.',
  'oauth_client.created': 'An operator registered an OAuth app.',
  'oauth_client.updated': 'An operator changed an OAuth app.',
  'oauth_client.deleted': 'An operator deleted an OAuth app.',
} satisfies Record<`${string}.${string}`, string>;

/** What actions were called before 0210 and 0250: a node that is not yet replaced writes them, and scripts ask for them. */
const renamed: ReadonlyMap<string, AuditAction> = new Map<string, AuditAction>([
  ['user.changed', 'user.updated'],
  ['user.profile_changed', 'user.profile_updated'],
  ['user.email_changed', 'user.email_updated'],
  ['password.changed', 'password.updated'],
  ['passkey.changed', 'passkey.updated'],
  ['two_factor.recovery_codes_changed', 'two_factor.recovery_codes_updated'],
  ['organization.changed', 'organization.updated'],
  ['organization.image_changed', 'organization.image_updated'],
  ['organization.image_removed', 'organization.image_deleted'],
  ['member.role_changed', 'member.role_updated'],
  ['entitlement.changed', 'entitlement.updated'],
  ['subscription.changed', 'subscription.updated'],
  ['application.changed', 'application.updated'],
  ['application.image_changed', 'application.image_updated'],
  ['application.image_removed', 'application.image_deleted'],
  ['application.hostname_changed', 'application.hostname_updated'],
  ['environment.changed', 'environment.updated'],
  ['environment.protection_changed', 'environment.protection_updated'],
  ['instance.settings_changed', 'instance.settings_updated'],
  ['oauth_client.changed', 'oauth_client.updated'],
  ['entitlement.removed', 'entitlement.deleted'],
  ['domain.added', 'domain.created'],
  ['invitation.withdrawn', 'invitation.revoked'],
]);

/** The name that an action has now. */
export function nameNow(action: string): string {
  return renamed.get(action) ?? action;
}

export type AuditAction = keyof typeof actions;

/** What can be done to that kind of thing: `ActionOf<'api_key'>` has `created` and `revoked`. */
export type ActionOf<Thing extends string> = AuditAction extends infer Action
  ? Action extends `${Thing}.${infer What}`
    ? What
    : never
  : never;
