import type { StorageBucket } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { HardDrive, KeyRound, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { api } from '#api/client.ts';
import { useApplication, useEnvironment } from '#areas/applications/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { bucketsQuery, storagePath } from '#areas/storage/data.ts';
import { changed, matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { Mono } from '#ui/code-block.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { toast } from '#ui/toast.ts';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/storage');
const filesPath = '/o/$slug/apps/$applicationId/storage/$bucket' as const;
const rowId = ({ id }: StorageBucket) => id;

export function Buckets() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const environment = useEnvironment()?.slug ?? '';
  const { data, error, refetch } = useQuery(bucketsQuery(applicationId, environment));
  const search = route.useSearch();
  const navigate = useNavigate();
  const set = (change: Partial<typeof search>, replace = true) =>
    void navigate({
      to: '.',
      search: ((old: object) => changed(old, change)) as never,
      replace,
    });
  const can = useCan();
  const mayCreate = can('createStorageBucket');
  const openNew = () => mayCreate && set({ create: true } as never, false);
  useHotkey('c', 'Create bucket', openNew);
  const { filter } = search;
  const rows = useMemo(() => data?.filter(({ name }) => matches(filter, name)), [data, filter]);
  const columns = useMemo(() => columnsOf(slug, applicationId), [slug, applicationId]);
  const path = storagePath(applicationId);
  const create = mayCreate && (
    <Button look="primary" onClick={openNew}>
      <Plus aria-hidden />
      Create bucket
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Storage"
        description="Files of the application, stored in buckets. Each environment has its own buckets."
        call={{ method: 'GET', path: `${path}?environment=${environment}` }}
        actions={
          <>
            {can('listS3Credentials') && (
              <Link
                to="/o/$slug/apps/$applicationId/storage/s3"
                params={{ slug, applicationId }}
                className={buttonClass({})}
              >
                <KeyRound aria-hidden />
                S3 credentials
              </Link>
            )}
            {data?.length ? create : null}
          </>
        }
      />
      {error ? (
        <TryAgain error={error} refetch={refetch} />
      ) : data?.length === 0 ? (
        <EmptyState
          icon={<HardDrive />}
          title="No buckets yet"
          action={create}
          call={{ method: 'POST', path, body: { name: 'photos', environment } }}
        >
          A bucket stores objects by key. Objects in private buckets need a token or a signed URL; objects in
          public buckets can be read by anyone.
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter buckets"
            search={search}
            onChange={(change) => set(change as Partial<typeof search>)}
          />
          <DataTable
            label="Buckets"
            rows={rows}
            columns={columns}
            rowId={rowId}
            remember="buckets"
            onOpen={({ name }) =>
              void navigate({ to: filesPath, params: { slug, applicationId, bucket: name } })
            }
            sort={search.sort}
            onSort={(sort) => set({ sort } as never)}
            empty="No buckets match the filter."
          />
        </>
      )}
      {search.create && <NewBucketDialog onClose={() => set({ create: undefined } as never)} />}
    </>
  );
}

function columnsOf(slug: string, applicationId: string): Column<StorageBucket>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      sortable: true,
      fixed: true,
      width: '2fr',
      cell: (row) => (
        <Link
          to={filesPath}
          params={{ slug, applicationId, bucket: row.name }}
          tabIndex={-1}
          className="truncate font-medium hover:underline"
        >
          {row.name}
        </Link>
      ),
    },
    {
      id: 'visibility',
      header: 'Visibility',
      value: (row) => row.visibility,
      sortable: true,
      width: '8rem',
      cell: (row) => (
        <Badge tone={row.visibility === 'public' ? 'warning' : 'neutral'}>
          {row.visibility === 'public' ? 'Public' : 'Private'}
        </Badge>
      ),
    },
    { id: 'slug', header: 'S3 name', wide: true, width: '2fr', cell: (row) => <Mono copy>{row.slug}</Mono> },
    {
      id: 'createdAt',
      header: 'Created',
      value: (row) => row.createdAt,
      sortable: true,
      wide: true,
      width: '8rem',
      cell: (row) => <RelativeTime time={row.createdAt} />,
    },
  ];
}

const visibilities = [
  { value: 'private', label: 'Private', hint: 'Read with a token or a signed link' },
  { value: 'public', label: 'Public', hint: 'Anyone can read all objects' },
];

interface NewBucket {
  name: string;
  visibility: string;
}

function NewBucketDialog({ onClose }: { onClose: () => void }) {
  const { id: applicationId } = useApplication();
  const environment = useEnvironment()?.slug ?? '';
  const client = useQueryClient();
  const bodyOf = ({ name, visibility }: NewBucket) => ({
    name,
    environment,
    visibility: visibility as 'public' | 'private',
  });
  const form = useAppForm({
    defaultValues: { name: '', visibility: 'private' },
    validators: {
      onSubmitAsync: sending(async (value: NewBucket) => {
        await api.storage.createBucket(applicationId, bodyOf(value));
        await client.invalidateQueries(bucketsQuery(applicationId, environment));
        toast.done('Bucket created');
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title="Create bucket"
      form={form}
      submit="Create bucket"
      call={(values: NewBucket) => ({
        method: 'POST',
        path: storagePath(applicationId),
        body: bodyOf(values),
      })}
      onClose={onClose}
    >
      <form.AppField name="name">
        {(field) => (
          <field.TextField
            label="Name"
            mono
            placeholder="photos"
            autoComplete="off"
            autoFocus
            required
            hint="3 to 63 lower-case letters, digits and hyphens."
          />
        )}
      </form.AppField>
      <form.AppField name="visibility">
        {(field) => <field.SelectField label="Visibility" options={visibilities} />}
      </form.AppField>
    </FormDialog>
  );
}
