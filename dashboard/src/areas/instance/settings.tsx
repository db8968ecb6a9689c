import type { InstanceSettings as Settings } from '@mainstay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { settingsQuery } from '#areas/instance/data.ts';
import { Card } from '#ui/card.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { SettingsCard } from '#ui/settings-card.tsx';
import { toast } from '#ui/toast.ts';
import { Switch } from '#ui/toggle.tsx';

const path = '/admin/settings';

export function InstanceSettings() {
  const { data } = useSuspenseQuery(settingsQuery);
  const { mutate } = useAction({
    run: (change: Partial<Settings>) => api.admin.updateSettings(change),
    refresh: [settingsQuery.queryKey],
    optimistic: {
      queryKey: settingsQuery.queryKey,
      update: (old: Settings, change: Partial<Settings>) => ({ ...old, ...change }),
    },
    done: 'Settings saved. They apply on every node within a second.',
    undo: (_result, change) =>
      api.admin.updateSettings(
        Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value])),
      ),
  });
  return (
    <>
      <PageHeader
        title="Instance settings"
        description="Settings that can change while the server runs. All others are environment variables; see Settings in the manual."
        call={{ method: 'GET', path }}
      />
      <div className="space-y-6">
        <Card title="Who may create organizations">
          <div className="space-y-5">
            <Switch
              label="Early access"
              hint="Only users admitted from the waitlist can create organizations."
              checked={data.earlyAccess}
              onChange={(earlyAccess) => mutate({ earlyAccess })}
            />
            <Switch
              label="Payment required"
              hint="Users without a payment method can create only as many organizations as set below."
              checked={data.paymentRequired}
              onChange={(paymentRequired) => mutate({ paymentRequired })}
            />
          </div>
        </Card>
        <Limits settings={data} />
      </div>
    </>
  );
}

/** As they are typed. */
type Numbers = Record<'organizationQuota' | 'organizationsPerMinute' | 'organizationsWithoutPayment', string>;

const numbersOf = (values: Numbers) => ({
  organizationQuota: Number(values.organizationQuota),
  organizationsPerMinute: Number(values.organizationsPerMinute),
  organizationsWithoutPayment: Number(values.organizationsWithoutPayment),
});

function Limits({ settings }: { settings: Settings }) {
  const form = useAppForm({
    defaultValues: {
      organizationQuota: String(settings.organizationQuota),
      organizationsPerMinute: String(settings.organizationsPerMinute),
      organizationsWithoutPayment: String(settings.organizationsWithoutPayment),
    },
    validators: {
      onSubmitAsync: sending(async (values: Numbers) => {
        await api.admin.updateSettings(numbersOf(values));
        toast.done('Settings saved. They apply on every node within a second.');
      }),
    },
  });
  const attributes = { type: 'number', inputMode: 'numeric', required: true } as const;
  return (
    <SettingsCard
      title="Limits"
      form={form}
      call={(values: Numbers) => ({ method: 'PATCH', path, body: numbersOf(values) })}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <form.AppField name="organizationQuota">
          {(field) => (
            <field.TextField
              label="Organizations per user"
              {...attributes}
              hint="Maximum number of organizations that a user can own."
            />
          )}
        </form.AppField>
        <form.AppField name="organizationsPerMinute">
          {(field) => <field.TextField label="Creations per minute" {...attributes} hint="Per user." />}
        </form.AppField>
        <form.AppField name="organizationsWithoutPayment">
          {(field) => (
            <field.TextField
              label="Without payment"
              {...attributes}
              hint="Where a payment method is required."
            />
          )}
        </form.AppField>
      </div>
    </SettingsCard>
  );
}
