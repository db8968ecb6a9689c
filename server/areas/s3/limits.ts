import type { Call } from './call.ts';
import type { Credential } from './credentials.ts';
import { S3Error } from './errors.ts';

/** Whether a credential may be used from here, and its application at all. */
export async function demandAllowedFrom(
  { deps, address }: Pick<Call, 'deps' | 'address'>,
  credential: Credential,
): Promise<void> {
  if (credential.addresses && !credential.addresses.has(address))
    throw new S3Error('AccessDenied', 'The credential does not work from this address.');
  const organizationId = await deps.organizationOf(credential.applicationId);
  if (organizationId === null) throw new S3Error('InvalidAccessKeyId');
  if (!(await deps.hasAccess(organizationId, 'storage')))
    throw new S3Error('AccessDenied', 'The organization has no access to the product "storage".');
}
