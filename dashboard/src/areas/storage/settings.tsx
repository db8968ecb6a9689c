import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { BucketHeader, usePlace } from '#areas/storage/bucket-header.tsx';
import { CorsCard } from '#areas/storage/cors-card.tsx';
import {
  contentKeys,
  type SettingsCardProps,
  type SettingsChanges,
  settingsQuery,
  storagePath,
} from '#areas/storage/data.ts';
import { LifecycleCard } from '#areas/storage/lifecycle-card.tsx';
import { WebhookCard } from '#areas/storage/webhook-card.tsx';
import { DangerCard } from '#ui/danger-card.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { SettingsCard } from '#ui/settings-card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { toast } from '#ui/toast.ts';

export function BucketSettings() {
  const place = usePlace();
  const can = useCan();
  const { data, error, refetch } = useQuery(settingsQuery(place));
  const save = useSave();
  const path = `${storagePath(place.applicationId)}/${place.bucket}/settings?environment=${place.environment}`;
  return (
    <>
      <BucketHeader call={{ method: 'GET', path }} />
      {error ? (
        <TryAgain error={error} refetch={refetch} />
      ) : !data ? (
        <Skeleton className="h-64" />
      ) : (
        <div className="space-y-6">
          {!can('updateStorageBucketSettings') && <Notice>Only admins can change these settings.</Notice>}
          {can('updateStorageBucketSettings') && <GeneralCard settings={data} path={path} save={save} />}
          {can('updateStorageBucketSettings') && <CorsCard settings={data} path={path} save={save} />}
          {can('updateStorageBucketSettings') && <LifecycleCard settings={data} path={path} save={save} />}
          {can('updateStorageBucketSettings') && <WebhookCard settings={data} path={path} save={save} />}
          {can('deleteStorageBucket') && <Delete />}
        </div>
      )}
    </>
  );
}

function useSave() {
  const place = usePlace();
  const client = useQueryClient();
  return async (body: SettingsChanges) => {
    const { applicationId, bucket, environment } = place;
    const saved = await api.storage.updateSettings(applicationId, bucket, body, { environment });
    client.setQueryData(settingsQuery(place).queryKey, saved);
    await client.invalidateQueries({ queryKey: ['storage', applicationId, environment, 'buckets'] });
    toast.done('Saved');
  };
}

const visibilities = [
  { value: 'private', label: 'Private', hint: 'Read with a token or a signed link' },
  { value: 'public', label: 'Public', hint: 'Anyone can read all objects' },
];
const versionings = [
  { value: 'enabled', label: 'Enabled', hint: 'Enabled: keep old versions' },
  { value: 'suspended', label: 'Suspended', hint: 'Suspended: keep existing versions, add none' },
];

interface General {
  visibility: string;
  versioning: string;
  quota: string;
  cacheControl: string;
}

const bodyOf = (value: General): SettingsChanges => ({
  visibility: value.visibility as 'public' | 'private',
  ...(value.versioning === 'off' ? {} : { versioning: value.versioning as 'enabled' | 'suspended' }),
  quotaBytes: value.quota.trim() === '' ? null : Math.round(Number(value.quota) * 1024 ** 3),
  cacheControl: value.cacheControl.trim() === '' ? null : value.cacheControl.trim(),
});

function GeneralCard({ settings, path, save }: SettingsCardProps) {
  const form = useAppForm({
    defaultValues: {
      visibility: settings.visibility as string,
      versioning: settings.versioning as string,
      quota: settings.quotaBytes === null ? '' : String(settings.quotaBytes / 1024 ** 3),
      cacheControl: settings.cacheControl ?? '',
    },
    validators: { onSubmitAsync: sending((value: General) => save(bodyOf(value))) },
  });
  const choices =
    settings.versioning === 'off'
      ? [{ value: 'off', label: 'Off', hint: 'Disabled: overwrite objects' }, ...versionings]
      : versionings;
  return (
    <SettingsCard
      title="General"
      form={form}
      call={(value: General) => ({ method: 'PATCH', path, body: bodyOf(value) })}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="visibility">
          {(field) => <field.SelectField label="Visibility" options={visibilities} />}
        </form.AppField>
        <form.AppField name="versioning">
          {(field) => <field.SelectField label="Versioning" options={choices} />}
        </form.AppField>
        <form.AppField name="quota">
          {(field) => (
            <field.TextField
              label="Quota in GiB"
              inputMode="decimal"
              hint="Leave empty for the limit of the instance."
            />
          )}
        </form.AppField>
        <form.AppField name="cacheControl">
          {(field) => <field.TextField label="Cache-Control" mono placeholder="max-age=3600" />}
        </form.AppField>
      </div>
    </SettingsCard>
  );
}

function Delete() {
  const place = usePlace();
  const { applicationId, bucket, environment } = place;
  const { slug } = useOrganization();
  const navigate = useNavigate();
  const path = `${storagePath(applicationId)}/${bucket}?environment=${environment}`;
  const remove = useAction({
    run: () => api.storage.deleteBucket(applicationId, bucket, { environment }),
    refresh: [['storage', applicationId, environment, 'buckets'], ...contentKeys(place)],
    done: 'Bucket deleted',
    quiet: true,
  });
  return (
    <DangerCard
      title="Delete bucket"
      description="Deletes the bucket with all its objects, versions and trash. This cannot be undone."
      verb="Delete bucket"
      question="Delete bucket"
      action="Delete bucket"
      typed={bucket}
      call={{ method: 'DELETE', path }}
      onConfirm={async () => {
        await navigate({
          to: '/o/$slug/apps/$applicationId/storage',
          params: { slug, applicationId },
        });
        await remove.mutateAsync();
      }}
    >
      URLs of its objects stop working within a second.
    </DangerCard>
  );
}
