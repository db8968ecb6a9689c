import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { usePlace } from '#areas/storage/bucket-header.tsx';
import { deliveriesQuery, type SettingsCardProps } from '#areas/storage/data.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SecretDialog, SecretOnce } from '#ui/secret-once.tsx';
import { SettingsCard } from '#ui/settings-card.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** Where events of the bucket go, whether they arrive, and what the last ones met with. */
export function WebhookCard({ settings, path, save }: SettingsCardProps) {
  const place = usePlace();
  const { applicationId, bucket, environment } = place;
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
  const test = useAction({
    run: () => api.storage.testWebhook(applicationId, bucket, { environment }),
    refresh: [deliveriesQuery(place).queryKey],
  });
  const outcome = test.data;
  return (
    <>
      <SettingsCard
        title="Webhook"
        description="Receives object.created and object.deleted as JSON, in order for each key."
        form={form}
        call={(value: { webhookUrl: string }) => ({ method: 'PATCH', path, body: webhookBody(value) })}
        aside={
          settings.webhookUrl !== null && (
            <div className="flex flex-wrap gap-2">
              <Button busy={test.isPending} onClick={() => test.mutate()}>
                Send test event
              </Button>
              <Button
                busy={rotate.isPending}
                onClick={() => rotate.mutate(undefined, { onSuccess: (made) => setSecret(made.secret) })}
              >
                Rotate secret
              </Button>
            </div>
          )
        }
      >
        <form.AppField name="webhookUrl">
          {(field) => (
            <field.TextField label="Address" mono placeholder="https://example.com/hooks/storage" />
          )}
        </form.AppField>
        {outcome && (
          <div className="mt-4">
            <Notice {...(outcome.ok ? {} : { tone: 'warning' as const })}>
              {outcome.ok
                ? `Accepted with ${outcome.status} after ${outcome.latencyMs} ms.`
                : `Not accepted. ${outcome.error}`}
            </Notice>
          </div>
        )}
        {settings.webhookUrl !== null && <Deliveries />}
      </SettingsCard>
      {secret && (
        <SecretDialog title="Secret rotated" onClose={() => setSecret(undefined)}>
          <SecretOnce label="Secret" secret={secret} />
        </SecretDialog>
      )}
    </>
  );
}

function Deliveries() {
  const { data } = useQuery(deliveriesQuery(usePlace()));
  if (!data || data.items.length === 0) return null;
  return (
    <details className="mt-4">
      <summary className="cursor-pointer font-medium">Deliveries ({data.total})</summary>
      <ul className="mt-2 max-h-80 divide-y overflow-y-auto" aria-label="Deliveries">
        {data.items.map(({ id, type, key, ok, error, attempt, latencyMs, sentAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <StatusBadge status={ok ? 'active' : 'failed'} text={ok ? 'Delivered' : 'Failed'} />
            <span className="min-w-0 flex-1 wrap-anywhere">
              {type}
              {key !== null && ` of ${key}`}
              {attempt > 1 && `, attempt ${attempt}`}
              {error !== null && <span className="block text-muted">{error}</span>}
            </span>
            <span className="text-muted tabular-nums">
              {latencyMs} ms · <RelativeTime time={sentAt} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
