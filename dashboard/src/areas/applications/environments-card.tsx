import type { Environment } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import {
  applicationQuery,
  environmentsQuery,
  useApplication,
  useEnvironments,
} from '#areas/applications/data.ts';
import { ProtectionDialog } from '#areas/deployments/protection-dialog.tsx';
import { useCan } from '#areas/organizations/permissions.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

export function EnvironmentsCard() {
  const application = useApplication();
  const environments = useEnvironments();
  const can = useCan();
  const refresh = useRefreshEnvironments();
  const [open, setOpen] = useState<{
    edit?: Environment;
    remove?: Environment;
    protect?: Environment;
    create?: true;
  }>({});
  const close = () => setOpen({});
  const remove = async (environment: Environment) => {
    await api.environments.delete(application.id, environment.id);
    await refresh();
    toast.done(`${environment.name} deleted`);
  };
  return (
    <Card
      title="Environments"
      description="Each environment has its own variables and receives deployments of the branches that you choose."
      actions={
        can('createEnvironment') && (
          <Button size="sm" onClick={() => setOpen({ create: true })}>
            <Plus aria-hidden />
            New environment
          </Button>
        )
      }
    >
      <ul className="divide-y rounded-md border">
        {environments.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
            <span className="font-medium">{one.name}</span>
            <span className="font-mono text-xs text-muted">{one.slug}</span>
            {one.slug === application.defaultEnvironmentSlug && <Badge tone="accent">Default</Badge>}
            {one.alwaysOn && <Badge>Always on</Badge>}
            <span className="mr-auto min-w-0 truncate text-muted">
              {one.branches.length === 0 ? 'No branches' : one.branches.join(', ')}
            </span>
            {can('updateEnvironmentProtection') && (
              <Button size="sm" onClick={() => setOpen({ protect: one })}>
                Protection<span className="sr-only"> of {one.name}</span>
              </Button>
            )}
            {can('updateEnvironment') && (
              <Button size="sm" onClick={() => setOpen({ edit: one })}>
                Edit<span className="sr-only"> {one.name}</span>
              </Button>
            )}
            {can('deleteEnvironment') && one.slug !== application.defaultEnvironmentSlug && (
              <Button size="sm" look="ghost" onClick={() => setOpen({ remove: one })}>
                Delete<span className="sr-only"> {one.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {open.protect && <ProtectionDialog environment={open.protect} onClose={close} />}
      {(open.create || open.edit) && <EnvironmentDialog environment={open.edit} onClose={close} />}
      <ConfirmDialog
        open={open.remove !== undefined}
        onClose={close}
        title={`Delete ${open.remove?.name ?? ''}?`}
        action="Delete environment"
        typed={open.remove?.slug ?? ''}
        onConfirm={() => remove(open.remove as Environment)}
        call={{
          method: 'DELETE',
          path: `/applications/${application.id}/environments/${open.remove?.id ?? ''}`,
        }}
      >
        Its variables and keys are permanently deleted.
      </ConfirmDialog>
    </Card>
  );
}

interface Values {
  name: string;
  branches: string;
  rollBackOnCrash: boolean;
  alwaysOn: boolean;
}

const bodyOf = ({ name, branches, rollBackOnCrash, alwaysOn }: Values) => ({
  ...{ name, rollBackOnCrash, alwaysOn },
  branches: branches
    .split(/[\s,]+/)
    .map((branch) => branch.trim())
    .filter(Boolean),
});

function EnvironmentDialog({
  environment,
  onClose,
}: {
  environment: Environment | undefined;
  onClose: () => void;
}) {
  const application = useApplication();
  const refresh = useRefreshEnvironments();
  const path = `/applications/${application.id}/environments`;
  const form = useAppForm({
    defaultValues: {
      name: environment?.name ?? '',
      branches: environment?.branches.join(', ') ?? '',
      rollBackOnCrash: environment?.rollBackOnCrash ?? false,
      alwaysOn: environment?.alwaysOn ?? false,
    },
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        const body = bodyOf(values);
        const { name } = environment
          ? await api.environments.update(application.id, environment.id, body)
          : await api.environments.create(application.id, body);
        await refresh();
        toast.done(environment ? 'Saved' : `${name} created`);
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title={environment ? `Edit ${environment.name}` : 'New environment'}
      form={form}
      submit={environment ? 'Save' : 'Create environment'}
      call={(values: Values) => ({
        method: environment ? 'PATCH' : 'POST',
        path: environment ? `${path}/${environment.id}` : path,
        body: bodyOf(values),
      })}
      onClose={onClose}
    >
      <form.AppField name="name">
        {(field) => <field.TextField label="Name" placeholder="Staging" maxLength={128} autoFocus required />}
      </form.AppField>
      <form.AppField name="branches">
        {(field) => (
          <field.TextField
            label="Branches"
            mono
            placeholder="develop, release/*"
            hint="Separated by commas. * is a wildcard."
          />
        )}
      </form.AppField>
      <form.AppField name="rollBackOnCrash">
        {(field) => (
          <field.CheckboxField
            label="Roll back when a new version crashes"
            hint="Returns to the previous version if a new one crashes five times within a minute during its first hour."
          />
        )}
      </form.AppField>
      <form.AppField name="alwaysOn">
        {(field) => (
          <field.CheckboxField
            label="Always on"
            hint="Keeps one process of each function running, so that no request waits for a start. Processes count against the limit of the organization."
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}

function useRefreshEnvironments() {
  const application = useApplication();
  const client = useQueryClient();
  const router = useRouter();
  return async () => {
    const keys = [environmentsQuery(application.id).queryKey, applicationQuery(application.id).queryKey];
    await Promise.all(keys.map((queryKey) => client.refetchQueries({ queryKey, type: 'all' })));
    await client.invalidateQueries({ queryKey: ['variables', application.id] });
    await router.invalidate();
  };
}
