import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { useApplication } from '#areas/applications/data.ts';
import { availabilityQuery, hostnamesQuery } from '#areas/applications/queries.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

/** The hostname that every application has, and its label. */
export function HostnameCard() {
  const application = useApplication();
  const { data } = useQuery(hostnamesQuery(application.id));
  const own = data?.items.find(({ type, source }) => type === 'APP' && source === 'system');
  if (!data || !own) return <Skeleton className="h-40 w-full" />;
  return <LabelForm key={data.label} label={data.label ?? ''} hostname={own.hostname} />;
}

function LabelForm({ label, hostname }: { label: string; hostname: string }) {
  const application = useApplication();
  const client = useQueryClient();
  const canSet = useCan()('setHostname');
  const path = `/applications/${application.id}/hostname`;
  const form = useAppForm({
    defaultValues: { label },
    validators: {
      onSubmitAsync: sending(async (body: { label: string }) => {
        const set = await api.hostnames.set(application.id, body.label);
        await client.invalidateQueries({ queryKey: hostnamesQuery(application.id).queryKey });
        await client.invalidateQueries({ queryKey: ['domains', application.id] });
        toast.done(`Hostname changed to ${set.hostname}`);
      }),
    },
  });
  const card = (
    <Card
      title="Hostname"
      description={<Mono copy>{hostname}</Mono>}
      {...(canSet
        ? {
            footer: (
              <>
                <form.Subscribe selector={(state) => state.values}>
                  {(body) => <ViewAsCode call={{ method: 'PUT', path, body }} />}
                </form.Subscribe>
                <form.AppForm>
                  <form.SubmitButton>Save</form.SubmitButton>
                </form.AppForm>
              </>
            ),
          }
        : {})}
    >
      {canSet && (
        <>
          <form.AppField name="label">
            {(field) => <field.TextField label="Label" mono required autoComplete="off" />}
          </form.AppField>
          <form.Subscribe selector={(state) => state.values.label}>
            {(wanted) => wanted !== label && <Availability label={wanted} />}
          </form.Subscribe>
          <form.AppForm>
            <form.FormError className="mt-3" />
          </form.AppForm>
        </>
      )}
    </Card>
  );
  return canSet ? (
    <Form form={form} className="">
      {card}
    </Form>
  ) : (
    card
  );
}

function Availability({ label }: { label: string }) {
  const application = useApplication();
  const { data } = useQuery(availabilityQuery(application.id, label));
  if (!data) return null;
  return (
    <p role="status" className={data.available ? 'mt-2 text-success' : 'mt-2 text-warning'}>
      {data.available ? 'Available' : data.reason}
    </p>
  );
}
