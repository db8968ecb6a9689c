import packaged from 'role-based-email-addresses';

/** Those of RFC 2142 and of mail systems that the package does not have. */
const more = 'uucp usenet daemon nobody owner list-request bounce bounces customer-service'.split(' ');

const roles: ReadonlySet<string> = new Set([...packaged, ...more]);

/** Whether the local part names a function, not a person. A tag behind a plus does not count: support+4711. */
export function isRole(local: string): boolean {
  const bare = local.toLowerCase().replace(/\+.*$/, '');
  return roles.has(bare) || roles.has(bare.replaceAll(/[._-]/g, ''));
}
