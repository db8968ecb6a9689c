import { S3Error } from '../errors.ts';
import { element, leaf } from '../wire/xml.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../wire/xml-parser.ts';

/** Access control lists: https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html */

export type Permission = 'READ' | 'WRITE' | 'READ_ACP' | 'WRITE_ACP' | 'FULL_CONTROL';
const permissions: readonly string[] = ['READ', 'WRITE', 'READ_ACP', 'WRITE_ACP', 'FULL_CONTROL'];

type Grantee = { id: string } | { group: Group };
type Group = 'AllUsers' | 'AuthenticatedUsers' | 'LogDelivery';

interface Grant {
  to: Grantee;
  permission: Permission;
}

/** Owners are applications, by their ids. */
export interface Acl {
  owner: string;
  grants: Grant[];
}

const groupUris: Record<Group, string> = {
  AllUsers: 'http://acs.amazonaws.com/groups/global/AllUsers',
  AuthenticatedUsers: 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers',
  LogDelivery: 'http://acs.amazonaws.com/groups/s3/LogDelivery',
};

const maxGrants = 100;

export function privateAcl(owner: string): Acl {
  return { owner, grants: [{ to: { id: owner }, permission: 'FULL_CONTROL' }] };
}

const canned: Record<string, readonly (readonly [Group | 'bucketOwner', Permission])[]> = {
  private: [],
  'public-read': [['AllUsers', 'READ']],
  'public-read-write': [
    ['AllUsers', 'READ'],
    ['AllUsers', 'WRITE'],
  ],
  'authenticated-read': [['AuthenticatedUsers', 'READ']],
  'aws-exec-read': [],
  'bucket-owner-read': [['bucketOwner', 'READ']],
  'bucket-owner-full-control': [['bucketOwner', 'FULL_CONTROL']],
  'log-delivery-write': [
    ['LogDelivery', 'WRITE'],
    ['LogDelivery', 'READ_ACP'],
  ],
};

function cannedAcl(name: string, owner: string, bucketOwner: string): Acl {
  const grants = Object.hasOwn(canned, name) ? canned[name] : undefined;
  if (!grants) {
    throw new S3Error('InvalidArgument', undefined, {
      fields: { ArgumentName: 'x-amz-acl', ArgumentValue: name.slice(0, 64) },
    });
  }
  const others: Grant[] = [];
  for (const [to, permission] of grants) {
    if (to !== 'bucketOwner') others.push({ to: { group: to }, permission });
    else if (bucketOwner !== owner) others.push({ to: { id: bucketOwner }, permission });
  }
  return { owner, grants: [...others, ...privateAcl(owner).grants] };
}

const grantHeaders = {
  'x-amz-grant-read': 'READ',
  'x-amz-grant-write': 'WRITE',
  'x-amz-grant-read-acp': 'READ_ACP',
  'x-amz-grant-write-acp': 'WRITE_ACP',
  'x-amz-grant-full-control': 'FULL_CONTROL',
} as const satisfies Record<string, Permission>;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Whether the headers say anything of an ACL. */
export function namesAcl(headers: Headers): boolean {
  return (
    headers['x-amz-acl'] !== undefined ||
    Object.keys(grantHeaders).some((name) => headers[name] !== undefined)
  );
}

/** Throws where a grantee is an application that is not here. */
export type DemandOwner = (id: string) => Promise<void>;

/** What the headers ask for; undefined: nothing. */
export async function aclOfHeaders(
  headers: Headers,
  { owner, bucketOwner, demandOwner }: { owner: string; bucketOwner: string; demandOwner: DemandOwner },
): Promise<Acl | undefined> {
  if (!namesAcl(headers)) return undefined;
  const name = headers['x-amz-acl'];
  const grants: Grant[] = [];
  for (const [header, permission] of Object.entries(grantHeaders)) {
    const value = headers[header];
    if (typeof value !== 'string') continue;
    for (const part of value.split(',')) grants.push({ to: granteeOf(part), permission });
  }
  if (typeof name === 'string') {
    if (grants.length > 0)
      throw new S3Error('InvalidRequest', 'Specifying both Canned ACLs and Header Grants is not allowed');
    return cannedAcl(name, owner, bucketOwner);
  }
  await demandGrantees(grants, demandOwner);
  return { owner, grants };
}

function granteeOf(text: string): Grantee {
  const [, kind, value] = /^\s*(id|uri|emailAddress)\s*=\s*"?([^"]+?)"?\s*$/i.exec(text) ?? [];
  if (kind === undefined || value === undefined)
    throw new S3Error('InvalidArgument', 'Argument format not recognized');
  if (kind.toLowerCase() === 'id') return { id: value };
  if (kind.toLowerCase() === 'uri') return { group: groupOf(value) };
  throw noEmail();
}

function noEmail(): S3Error {
  return new S3Error(
    'InvalidArgument',
    'Grantees are named by their canonical id or by a group, not by an e-mail address.',
  );
}

function groupOf(uri: string): Group {
  for (const [group, known] of Object.entries(groupUris)) if (known === uri) return group as Group;
  throw new S3Error('InvalidArgument', 'Invalid group uri', { fields: { ArgumentValue: uri.slice(0, 256) } });
}

async function demandGrantees(grants: readonly Grant[], demandOwner: DemandOwner): Promise<void> {
  if (grants.length > maxGrants) throw new S3Error('MalformedACLError');
  for (const { to } of grants) if ('id' in to) await demandOwner(to.id);
}

/** An `AccessControlPolicy` document. */
export async function aclOfXml(root: XmlElement, demandOwner: DemandOwner): Promise<Acl> {
  const owner = childOf(root, 'Owner');
  const list = childOf(root, 'AccessControlList');
  const id = owner && textOf(owner, 'ID');
  if (root.name !== 'AccessControlPolicy' || !id || !list) throw new S3Error('MalformedACLError');
  const grants = childrenOf(list, 'Grant').map((grant): Grant => {
    const grantee = childOf(grant, 'Grantee');
    const permission = textOf(grant, 'Permission') ?? '';
    if (!grantee || !permissions.includes(permission)) throw new S3Error('MalformedACLError');
    return { to: granteeOfXml(grantee), permission: permission as Permission };
  });
  await demandGrantees(grants, demandOwner);
  return { owner: id, grants };
}

function granteeOfXml(grantee: XmlElement): Grantee {
  const type = grantee.attributes.get('xsi:type');
  const id = textOf(grantee, 'ID');
  const uri = textOf(grantee, 'URI');
  if (type === 'CanonicalUser' && id) return { id };
  if (type === 'Group' && uri) return { group: groupOf(uri) };
  if (type === 'AmazonCustomerByEmail') throw noEmail();
  throw new S3Error('MalformedACLError');
}

export function aclXml(acl: Acl, nameOf: (id: string) => string): string {
  const schema = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const grants = acl.grants.map(({ to, permission }) => {
    const [type, content] =
      'id' in to
        ? ['CanonicalUser', `${leaf('ID', to.id)}${leaf('DisplayName', nameOf(to.id))}`]
        : ['Group', leaf('URI', groupUris[to.group])];
    return element(
      'Grant',
      `<Grantee ${schema} xsi:type="${type}">${content}</Grantee>`,
      leaf('Permission', permission),
    );
  });
  return `${ownerXml('Owner', acl.owner, nameOf(acl.owner))}${element('AccessControlList', ...grants)}`;
}

export function ownerXml(name: string, id: string, display: string): string {
  return element(name, leaf('ID', id), leaf('DisplayName', display));
}

/** Whether the list grants that to whoever asks; undefined: somebody without a signature. */
export function grants(
  acl: Acl,
  who: string | undefined,
  wanted: Permission,
  ignorePublic: boolean,
): boolean {
  return acl.grants.some(({ to, permission }) => {
    if (permission !== wanted && permission !== 'FULL_CONTROL') return false;
    if ('id' in to) return to.id === who;
    if (ignorePublic) return false;
    return to.group === 'AllUsers' || (to.group === 'AuthenticatedUsers' && who !== undefined);
  });
}

export function isPublicAcl(acl: Acl): boolean {
  return acl.grants.some(({ to }) => 'group' in to && to.group !== 'LogDelivery');
}
