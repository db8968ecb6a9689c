import type { AuditRecord } from '@mainstay/sdk';

/** What a kind of target is called in a sentence. One that is not here goes by its own name. */
const nouns: Record<string, string> = {
  api_key: 'the key',
  env_var: 'the variable',
  organization: 'the organization',
  application: 'the application',
  environment: 'the environment',
  invitation: 'the invitation of',
  member: 'the member',
  reputation_override: 'the override of',
  storage_bucket: 'the bucket',
  oauth_client: 'the OAuth app',
  entitlement: 'the access to',
  subscription: 'the plan of',
  domain: 'the domain',
};

/** Where the action does not simply end in what was done. */
export const special: Record<string, string> = {
  'api_key.secret_created': 'started rotating the key',
  'api_key.secret_deleted': 'completed the rotation of the key',
  'member.role_updated': 'changed the role of',
  'invitation.accepted': 'accepted the invitation of',
  'organization.image_updated': 'changed the picture of the organization',
  'organization.image_deleted': 'removed the picture of the organization',
  'application.image_updated': 'changed the picture of the application',
  'application.image_deleted': 'removed the picture of the application',
  'application.hostname_updated': 'changed the hostname of the application',
  'environment.protection_updated': 'changed the protection of the environment',
  'environment.protection_bypass_created': 'created a bypass token for the environment',
  'environment.protection_bypass_deleted': 'deleted the bypass token of the environment',
  'environment.protection_links_ended': 'revoked all share links of the environment',
  'environment.share_link_created': 'created a share link to the environment',
  'deployment.rolled_back': 'rolled back to the deployment',
  'deployment.images_purged': 'purged the optimized images of the deployment',
  'storage_bucket.webhook_secret_rotated': 'rotated the webhook secret of the bucket',
  'storage_bucket.objects_deleted': 'deleted objects in the bucket',
  'storage_bucket.object_purged': 'permanently deleted the object',
  'storage_bucket.trash_emptied': 'emptied the trash of the bucket',
  'cache.keys_listed': 'listed cache keys of the application',
  'cache.item_read': 'read the cache item',
  'cache.item_set': 'set the cache item',
  'cache.item_deleted': 'deleted the cache item',
};

/** "created the key CI": what was done, to be read after who did it. */
export function activityText({ action, target, details }: AuditRecord): string {
  const name = nameOfTarget(details) ?? shortId(target.id);
  if (Object.hasOwn(special, action)) return `${special[action]} ${name}`.trim();
  const [, done = action] = action.split('.');
  const noun = Object.hasOwn(nouns, target.type) ? nouns[target.type] : target.type.replaceAll('_', ' ');
  return `${done.replaceAll('_', ' ')} ${noun} ${name}`.trim();
}

/** The name that the record keeps of it. */
export function nameOfTarget(details: Record<string, unknown>): string | undefined {
  return [details['name'], details['key'], details['domain'], details['email'], details['product']].find(
    (one) => typeof one === 'string',
  ) as string | undefined;
}

/** Ids begin with the time of their making, so that those of one day look alike: the end tells them apart. */
export function shortId(id: string | null): string {
  return id === null ? '' : id.slice(-8);
}
