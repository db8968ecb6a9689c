import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { useApplication, useEnvironment } from '#areas/applications/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import type { Place } from '#areas/storage/data.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';

/** The bucket of the address. */
export function usePlace(): Place {
  const { id: applicationId } = useApplication();
  const { bucket = '' } = useParams({ strict: false });
  return { applicationId, bucket, environment: useEnvironment()?.slug ?? '' };
}

/** What every screen of a bucket begins with. */
export function BucketHeader({ actions, call }: { actions?: ReactNode; call?: ApiCall }) {
  const { slug } = useOrganization();
  const { applicationId, bucket } = usePlace();
  const params = { slug, applicationId, bucket };
  const to = '/o/$slug/apps/$applicationId/storage/$bucket' as const;
  return (
    <>
      <PageHeader
        title={bucket}
        crumbs={[
          {
            text: 'Storage',
            link: { to: '/o/$slug/apps/$applicationId/storage', params: { slug, applicationId } },
          },
        ]}
        {...(actions ? { actions } : {})}
        {...(call ? { call } : {})}
      />
      <TabLinks
        label="Bucket"
        tabs={[
          { text: 'Files', link: { to, params } },
          { text: 'Trash', link: { to: `${to}/trash`, params } },
          { text: 'Usage', link: { to: `${to}/usage`, params } },
          { text: 'Settings', link: { to: `${to}/settings`, params } },
        ]}
      />
    </>
  );
}
