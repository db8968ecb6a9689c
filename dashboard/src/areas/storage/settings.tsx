import type { StorageBucketSettings } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { BucketHeader, usePlace } from '#areas/storage/bucket-header.tsx';
import { contentKeys, settingsQuery, storagePath } from '#areas/storage/data.ts';
import { Button } from '#ui/button.tsx';
import { DangerCard } from '#ui/danger-card.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { SecretDialog, SecretOnce } from '#ui/secret-once.tsx';
import { SettingsCard } from '#ui/settings-card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { toast } from '#ui/toast.ts';

export function BucketSettings() {
  const place = usePlace();
  const can = useCan();
  const { data, error, refetch } = useQuery(settingsQuery(place));
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
          {can('updateStorageBucketSettings') && <GeneralCard settings={data} path={path} />}
          {can('updateStorageBucketSettings') && <Rules settings={data} path={path} />}
          {can('updateStorageBucketSettings') && <Webhook settings={data} path={path} />}
          {can('deleteStorageBucket') && <Delete />}
        </div>
      )}
    </>
  );
}

interface CardProps {
  settings: StorageBucketSettings;
  path: string;
}

type Body = Parameters<typeof api.storage.updateSettings>[2];

function useSave() {
  const place = usePlace();
  const client = useQueryClient();
  return async (body: Body) => {
    const { applicationId, bucket, environment } = place;
    const saved = await api.storage.updateSettings(applicationId, bucket, body, { environment });
    client.setQueryData(settingsQuery(place).queryKey, saved);
    await client.invalidateQueries({ queryKey: ['storage', applicationId, environment, 'buckets'] });
    toast.done('Saved');
  };
}

const visibilities = [
  { value: 'private', label: 'Private', hint: 'Read with a token or a signed link' },
  { value: 'public', label: 'Public', hint: 'Everybody can read every object' },
];
const versionings = [
  { value: 'enabled', label: 'Enabled', hint: 'Keep what is written over' },
  { value: 'suspended', label: 'Suspended', hint: 'Keep old versions, add none' },
];

interface General {
  visibility: string;
  versioning: string;
  quota: string;
  cacheControl: string;
}

const bodyOf = (value: General): Body => ({
  visibility: value.visibility as 'public' | 'private',
  ...(value.versioning === 'off' ? {} : { versioning: value.versioning as 'enabled' | 'suspended' }),
  quotaBytes: value.quota.trim() === '' ? null : Math.round(Number(value.quota) * 1024 ** 3),
  cacheControl: value.cacheControl.trim() === '' ? null : value.cacheControl.trim(),
});

function GeneralCard({ settings, path }: CardProps) {
  const save = useSave();
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
      ? [{ value: 'off', label: 'Off', hint: 'Replace for good' }, ...versionings]
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
              hint="Empty: the limit of the instance."
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

/** CORS and lifecycle as JSON, with what each rule may hold. */
function Rules({ settings, path }: CardProps) {
  const save = useSave();
  const read = (text: string, field: string) => {
    try {
      return JSON.parse(text) as never;
    } catch {
      throw new Error(`The field "${field}" must be JSON.`);
    }
  };
  const form = useAppForm({
    defaultValues: {
      cors: JSON.stringify(settings.cors, null, 2),
      lifecycle: JSON.stringify(settings.lifecycle, null, 2),
    },
    validators: {
      onSubmitAsync: sending((value: { cors: string; lifecycle: string }) =>
        save({ cors: read(value.cors, 'cors'), lifecycle: read(value.lifecycle, 'lifecycle') }),
      ),
    },
  });
  return (
    <SettingsCard
      title="CORS and lifecycle"
      description="Which pages may read from here, and what is removed automatically."
      form={form}
      call={() => ({ method: 'PATCH', path, body: { cors: settings.cors, lifecycle: settings.lifecycle } })}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="cors">
          {(field) => (
            <field.TextAreaField
              label="CORS rules"
              mono
              rows={10}
              hint='{"allowedOrigins": ["https://example.com"], "allowedMethods": ["GET"]}'
            />
          )}
        </form.AppField>
        <form.AppField name="lifecycle">
          {(field) => (
            <field.TextAreaField
              label="Lifecycle rules"
              mono
              rows={10}
              hint='{"prefix": "tmp/", "expireAfterDays": 7}; also expireOldVersionsAfterDays, keepOldVersions, abortUploadsAfterDays'
            />
          )}
        </form.AppField>
      </div>
    </SettingsCard>
  );
}

function Webhook({ settings, path }: CardProps) {
  const { applicationId, bucket, environment } = usePlace();
  const save = useSave();
  const [secret, setSecret] = useState<string>();
  const webhookBody = ({ webhookUrl }: { webhookUrl: string }) => ({
    webhookUrl: webhookUrl.trim() === '' ? null : webhookUrl.trim(),
  });
  const form = useAppForm({
    defaultValues: { webhookUrl: settings.webhookUrl ?? '' },
    validators: { onSubmitAsync: sending((value: { webhookUrl: string }) => save(webhookBody(value))) },
  });
  const rotate = useAction({
    run: () => api.storage.rotateWebhookSecret(applicationId, bucket, { environment }),
  });
  return (
    <>
      <SettingsCard
        title="Webhook"
        description="Receives object.created and object.deleted as JSON, in order for each key."
        form={form}
        call={(value: { webhookUrl: string }) => ({ method: 'PATCH', path, body: webhookBody(value) })}
        aside={
          settings.webhookUrl !== null && (
            <Button
              busy={rotate.isPending}
              onClick={() => rotate.mutate(undefined, { onSuccess: (made) => setSecret(made.secret) })}
            >
              Rotate secret
            </Button>
          )
        }
      >
        <form.AppField name="webhookUrl">
          {(field) => (
            <field.TextField label="Address" mono placeholder="https://example.com/hooks/storage" />
          )}
        </form.AppField>
      </SettingsCard>
      {secret && (
        <SecretDialog title="Secret rotated" onClose={() => setSecret(undefined)}>
          <SecretOnce label="Secret" secret={secret} />
        </SecretDialog>
      )}
    </>
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
      Addresses that serve its objects stop working within a second.
    </DangerCard>
  );
}
