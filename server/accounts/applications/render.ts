import type { Static } from 'typebox';
import { type OrganizationRow, toOrganization } from '#accounts/organizations/service.ts';
import { isoTime } from '#core/clock.ts';
import type { Environment } from './environments.ts';
import type { Application, ApplicationSummary, Environment as EnvironmentSchema } from './schema.ts';
import type { ApplicationRow } from './store.ts';

/** The picture of an application: its own, or the avatar that this instance draws. */
function applicationImage(row: ApplicationRow, baseUrl: string): string {
  return row.image_url ?? `${baseUrl}/avatars/${row.id}.svg`;
}

/** As the API shows it. */
export function toApplication(row: ApplicationRow, baseUrl: string): Static<typeof Application> {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    slug: row.slug,
    imageUrl: applicationImage(row, baseUrl),
    rootDirectory: row.root_directory,
    defaultEnvironmentSlug: row.default_environment_slug,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** As lists show it, with the whole of its organization. */
export function applicationSummary(
  row: ApplicationRow,
  organization: OrganizationRow,
  options: { baseUrl: string; graceSeconds: number },
): Static<typeof ApplicationSummary> {
  const { baseUrl, graceSeconds } = options;
  return {
    id: row.id,
    organization: toOrganization(organization, baseUrl),
    name: row.name,
    imageUrl: applicationImage(row, baseUrl),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    ...(row.deleted_at === null
      ? {}
      : {
          deletedAt: isoTime(row.deleted_at),
          purgedAt: isoTime(row.deleted_at + graceSeconds * 1000),
        }),
  };
}

export function renderEnvironment(environment: Environment): Static<typeof EnvironmentSchema> {
  const { id, applicationId, name, slug, branches, rollBackOnCrash, alwaysOn } = environment;
  return {
    ...{ id, applicationId, name, slug, branches: [...branches], rollBackOnCrash, alwaysOn },
    createdAt: isoTime(environment.createdAt),
    updatedAt: isoTime(environment.updatedAt),
  };
}
