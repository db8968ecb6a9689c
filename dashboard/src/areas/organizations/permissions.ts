import type { operations } from '@mainstay/sdk';
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { useOrganization } from '#areas/organizations/data.ts';

/** An operation of the API by its `operationId`: a typing error does not compile. */
export type Operation = keyof operations;
export type Can = (operation: Operation) => boolean;

/** What the person may do in an organization, as the API itself says: role, scopes and products are its business. */
export const permissionsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['permissions', organizationId],
    queryFn: ({ signal }) => api.organizations.permissions(organizationId, { signal }),
    staleTime: 30_000,
  });

export function canOf({ operations }: { operations: readonly string[] }): Can {
  const known = new Set(operations);
  return (operation) => known.has(operation);
}

/** The same for what belongs to an application: its keys, say, which admins manage too. */
export function canOfApplications(permissions: { applicationOperations: readonly string[] }): Can {
  return canOf({ operations: permissions.applicationOperations });
}

/** `can('createApiKey')`: whether to show the control. Hide what the role never has; disable what a state forbids. */
export function useCan(): Can {
  const { id } = useOrganization();
  const { applicationId } = useParams({ strict: false });
  const select = applicationId === undefined ? canOf : canOfApplications;
  const { data } = useSuspenseQuery({ ...permissionsQuery(id), select });
  return data;
}

/** Slugs of the products that the organization has. */
export function useProducts(organizationId: string | undefined): readonly string[] | undefined {
  const { data } = useQuery({
    ...permissionsQuery(organizationId ?? ''),
    enabled: organizationId !== undefined,
  });
  return data?.products;
}

/** Said by the page in the place of a screen that the person may not see. */
export class NotPermitted extends Error {}

/** `beforeLoad: demands('listApiKeys')`: the screen is not loaded, and nothing is asked of the API that it would refuse. */
export const demands =
  (operation: Operation) =>
  ({ context }: { context: { can: Can } }): void => {
    if (!context.can(operation)) throw new NotPermitted(operation);
  };
