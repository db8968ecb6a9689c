import type { NewS3Credential, S3Credential } from '@mainstay/sdk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '#api/client.ts';
import { useApplication, useEnvironment } from '#areas/applications/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { bucketsQuery } from '#areas/storage/data.ts';
import { s3Lines } from '#areas/storage/s3-lines.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { Mono } from '#ui/code-block.tsx';
import { CodeTabs } from '#ui/code-tabs.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Facts } from '#ui/facts.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SecretDialog, SecretOnce } from '#ui/secret-once.tsx';
import { toast } from '#ui/toast.ts';

const credentialsPath = (applicationId: string) => `/applications/${applicationId}/storage/s3-credentials`;
const rowId = ({ id }: S3Credential) => id;

const credentialsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['s3 credentials', applicationId],
    queryFn: async ({ signal }) => {
      const items: S3Credential[] = [];
      for await (const one of api.s3Credentials.list(applicationId, { limit: 100 }, { signal }))
        items.push(one);
      return items;
    },
  });

/** Access keys for S3 clients, of the environment that the selector shows. */
export function S3Credentials() {
  const { id: applicationId } = useApplication();
  const environment = useEnvironment();
  const can = useCan();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(credentialsQuery(applicationId));
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewS3Credential>();
  const [revoked, setRevoked] = useState<S3Credential>();
  const rows = useMemo(
    () => data?.filter(({ environmentId }) => environmentId === environment?.id),
    [data, environment],
  );
  const mayRevoke = can('deleteS3Credential');
  const columns = useMemo(() => columnsOf(mayRevoke ? setRevoked : undefined), [mayRevoke]);
  const path = credentialsPath(applicationId);
  const create = can('createS3Credential') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create credential
    </Button>
  );
  return (
    <>
      <PageHeader
        title="S3 credentials"
        description="For the AWS CLI, rclone, restic and other S3 clients."
        call={{ method: 'GET', path }}
        {...(rows?.length ? { actions: create } : {})}
      />
      {error ? (
        <TryAgain error={error} refetch={refetch} />
      ) : rows?.length === 0 ? (
        <EmptyState
          icon={<KeyRound />}
          title="No S3 credentials yet"
          action={create}
          call={{ method: 'POST', path, body: { name: 'Backups', access: 'readwrite' } }}
        >
          A credential gives an S3 client access to one or all buckets of this environment.
        </EmptyState>
      ) : (
        <DataTable
          label="S3 credentials"
          rows={rows}
          columns={columns}
          rowId={rowId}
          remember="s3-credentials"
          empty="No S3 credentials."
        />
      )}
      {isCreating && <NewCredentialDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && <CreatedDialog credential={created} onClose={() => setCreated(undefined)} />}
      <ConfirmDialog
        open={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={`Revoke ${revoked?.name ?? ''}?`}
        action="Revoke credential"
        onConfirm={async () => {
          await api.s3Credentials.revoke(applicationId, revoked?.id ?? '');
          await client.invalidateQueries(credentialsQuery(applicationId));
          toast.done('Credential revoked');
        }}
        call={{ method: 'DELETE', path: `${path}/${revoked?.id ?? ''}` }}
      >
        Clients that use it are refused within a second. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

function columnsOf(revoke: ((row: S3Credential) => void) | undefined): Column<S3Credential>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      fixed: true,
      width: '2fr',
      cell: (row) => row.name,
    },
    {
      id: 'accessKeyId',
      header: 'Access key ID',
      width: '2fr',
      cell: (row) => <Mono copy>{row.accessKeyId}</Mono>,
    },
    {
      id: 'access',
      header: 'Access',
      width: '8rem',
      cell: (row) => <Badge tone="neutral">{row.access === 'read' ? 'Read' : 'Read and write'}</Badge>,
    },
    {
      id: 'reach',
      header: 'Access to',
      wide: true,
      width: '2fr',
      cell: (row) =>
        `${row.bucket ? (row.bucket.name ?? 'A deleted bucket') : 'All buckets'}${row.prefix ? `/${row.prefix}` : ''}`,
    },
    {
      id: 'lastUsedAt',
      header: 'Last used',
      wide: true,
      width: '8rem',
      cell: (row) => (row.lastUsedAt ? <RelativeTime time={row.lastUsedAt} /> : 'Never'),
    },
    {
      id: 'expiresAt',
      header: 'Expires',
      wide: true,
      width: '8rem',
      cell: (row) => (row.expiresAt ? <RelativeTime time={row.expiresAt} /> : 'Never'),
    },
    {
      id: 'actions',
      header: '',
      width: '3rem',
      cell: (row) =>
        revoke && (
          <IconButton
            label={`Revoke ${row.name}`}
            icon={<Trash2 aria-hidden />}
            onClick={() => revoke(row)}
          />
        ),
    },
  ];
}

interface Values {
  name: string;
  access: string;
  bucket: string;
  prefix: string;
  days: string;
}

const accesses = [
  { value: 'readwrite', label: 'Read and write' },
  { value: 'read', label: 'Read' },
];
const lifetimes = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In a year' },
];

function NewCredentialDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (credential: NewS3Credential) => void;
}) {
  const { id: applicationId } = useApplication();
  const environment = useEnvironment()?.slug ?? '';
  const client = useQueryClient();
  const { data: buckets = [] } = useQuery(bucketsQuery(applicationId, environment));
  const choices = [
    { value: '', label: 'All buckets of the environment' },
    ...buckets.map(({ name }) => ({ value: name, label: name })),
  ];
  const bodyOf = ({ name, access, bucket, prefix, days }: Values) => ({
    ...{ name, environment, access: access as 'read' | 'readwrite' },
    ...(bucket === '' ? {} : { bucket }),
    ...(prefix === '' ? {} : { prefix }),
    ...(days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
  });
  const form = useAppForm({
    defaultValues: { name: '', access: 'readwrite', bucket: '', prefix: '', days: '' } as Values,
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        const made = await api.s3Credentials.create(applicationId, bodyOf(values));
        await client.invalidateQueries(credentialsQuery(applicationId));
        onClose();
        onCreated(made);
      }),
    },
  });
  return (
    <FormDialog
      title="Create S3 credential"
      form={form}
      submit="Create credential"
      call={(values: Values) => ({
        method: 'POST',
        path: credentialsPath(applicationId),
        body: bodyOf(values),
      })}
      onClose={onClose}
    >
      <form.AppField name="name">
        {(field) => (
          <field.TextField label="Name" placeholder="Backups" autoComplete="off" autoFocus required />
        )}
      </form.AppField>
      <form.AppField name="access">
        {(field) => <field.SelectField label="Access" options={accesses} />}
      </form.AppField>
      <form.AppField name="bucket">
        {(field) => <field.SelectField label="Bucket" options={choices} />}
      </form.AppField>
      <form.AppField name="prefix">
        {(field) => (
          <field.TextField
            label="Prefix"
            mono
            placeholder="backups/"
            autoComplete="off"
            hint="Optional. Limits access to keys starting with it."
          />
        )}
      </form.AppField>
      <form.AppField name="days">
        {(field) => <field.SelectField label="Expires" options={lifetimes} />}
      </form.AppField>
    </FormDialog>
  );
}

function CreatedDialog({ credential, onClose }: { credential: NewS3Credential; onClose: () => void }) {
  const { accessKeyId, secretAccessKey, endpoint, rootEndpoint, region } = credential;
  const bucket = credential.bucket?.name ?? 'BUCKET';
  return (
    <SecretDialog title="S3 credential created" onClose={onClose}>
      <Facts
        facts={[
          ['Endpoint', endpoint],
          ['Region', region],
          ['Access key ID', accessKeyId],
        ]}
      />
      <SecretOnce
        label="Secret access key"
        secret={secretAccessKey}
        filename={`${credential.name.replaceAll(/\W+/g, '-')}-s3.txt`}
      />
      <CodeTabs
        label="Client"
        snippets={s3Lines({ accessKeyId, secretAccessKey, endpoint, rootEndpoint, region, bucket })}
      />
    </SecretDialog>
  );
}
