import type { Static } from 'typebox';
import { isoTime } from '#core/clock.ts';
import type { Organization } from './schema.ts';
import type { OrganizationRow } from './store.ts';

/** The picture of an organization: its own, or the avatar that this instance draws. */
export function organizationImage(row: OrganizationRow, baseUrl: string): string {
  return row.image_url ?? `${baseUrl}/avatars/${row.id}.svg`;
}

/** As the API shows it. */
export function toOrganization(row: OrganizationRow, baseUrl: string): Static<typeof Organization> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    imageUrl: organizationImage(row, baseUrl),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
