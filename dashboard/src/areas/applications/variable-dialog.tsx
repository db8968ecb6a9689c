import type { EnvVar } from '@mainstay/sdk';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { useApplication, useEnvironments } from '#areas/applications/data.ts';
import { applicationVariablesQuery, effectiveQuery } from '#areas/applications/queries.ts';
import {
  applicationHome,
  placeOf,
  useRefreshVariables,
  wholeApplication,
} from '#areas/applications/variable-scopes.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { variablesQuery } from '#areas/variables/data.ts';
import { HistoryDialog } from '#areas/variables/history-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';

interface Place {
  name: string;
  /** Of `placeOf`; undefined for the organization, whose variables are changed on its own screen. */
  scope: string | undefined;
  variable: EnvVar | undefined;
}

/** One key with its value in every scope, side by side. */
export function VariableDialog({ variableKey, onClose }: { variableKey: string; onClose: () => void }) {
  const application = useApplication();
  const environments = useEnvironments();
  const [isShown, setShown] = useState(false);
  const { data: own = [] } = useQuery(applicationVariablesQuery(application.id));
  const { data: outer = [] } = useQuery(variablesQuery(application.organizationId));
  const here = own.filter(({ key }) => key === variableKey);
  const places: Place[] = [
    ...environments.map(({ id, name }) => ({
      name,
      scope: id,
      variable: here.find(({ environmentId }) => environmentId === id),
    })),
    {
      name: 'All environments',
      scope: wholeApplication,
      variable: here.find(({ environmentId }) => environmentId === null),
    },
    { name: 'Organization', scope: undefined, variable: outer.find(({ key }) => key === variableKey) },
  ];
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={variableKey}
      description="The environment's value overrides the application's, which overrides the organization's."
    >
      <Effective variableKey={variableKey} isShown={isShown} />
      <ul aria-label="Values by scope" className="divide-y rounded-md border">
        {places.map((place) => (
          <PlaceLine key={place.name} {...{ place, variableKey, isShown }} />
        ))}
      </ul>
      <DialogActions>
        <Button onClick={() => setShown(!isShown)}>{isShown ? 'Hide values' : 'Show values'}</Button>
      </DialogActions>
    </Dialog>
  );
}

const sources = { organization: 'Organization', application: 'All environments', environment: 'Environment' };

/** What each environment sees in the end, references replaced, and where it comes from. */
function Effective({ variableKey, isShown }: { variableKey: string; isShown: boolean }) {
  const application = useApplication();
  const environments = useEnvironments();
  const queries = useQueries({
    queries: environments.map(({ slug }) => effectiveQuery(application.id, slug)),
  });
  return (
    <table className="mb-4 w-full table-fixed text-left">
      <caption className="sr-only">Effective value by environment</caption>
      <thead className="text-xs text-faint">
        <tr>
          <th scope="col" className="w-28 pb-1 font-medium">
            Environment
          </th>
          <th scope="col" className="pb-1 font-medium">
            Effective value
          </th>
          <th scope="col" className="w-32 pb-1 font-medium">
            Comes from
          </th>
        </tr>
      </thead>
      <tbody className="divide-y border-y">
        {environments.map(({ id, name }, at) => {
          const seen = queries[at]?.data?.items.find(({ key }) => key === variableKey);
          return (
            <tr key={id}>
              <th scope="row" className="truncate py-1.5 pr-2 font-medium">
                {name}
              </th>
              <td className="truncate py-1.5 pr-2 font-mono text-xs">
                <Value variable={seen} isShown={isShown} />
              </td>
              <td className="py-1.5">
                {seen && (
                  <Badge tone={seen.source === 'environment' ? 'accent' : 'neutral'}>
                    {sources[seen.source]}
                  </Badge>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface LineProps {
  place: Place;
  variableKey: string;
  isShown: boolean;
}

function PlaceLine({ place, variableKey, isShown }: LineProps) {
  const application = useApplication();
  const can = useCan();
  const refresh = useRefreshVariables(application.id);
  const [open, setOpen] = useState<'edit' | 'delete' | 'history'>();
  const { name, scope, variable } = place;
  const remove = async () => {
    await api.applicationEnvVars.delete(application.id, variable?.id ?? '');
    await refresh();
    toast.done(`${variableKey} deleted from ${name}`);
  };
  return (
    <li className="px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="w-full shrink-0 truncate font-medium sm:w-36">{name}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs">
          <Value variable={variable} isShown={isShown} />
        </span>
        {scope !== undefined && can('updateApplicationEnvVar') && open !== 'edit' && (
          <Button size="sm" onClick={() => setOpen('edit')}>
            {variable ? 'Edit' : 'Set'}
            <span className="sr-only"> for {name}</span>
          </Button>
        )}
        {scope !== undefined && variable && open !== 'edit' && (
          <Button size="sm" look="ghost" onClick={() => setOpen('history')}>
            History<span className="sr-only"> for {name}</span>
          </Button>
        )}
        {scope !== undefined && variable && can('deleteApplicationEnvVar') && (
          <Button size="sm" look="ghost" onClick={() => setOpen('delete')}>
            Delete<span className="sr-only"> for {name}</span>
          </Button>
        )}
      </div>
      {open === 'edit' && scope !== undefined && (
        <Editor {...{ variable, variableKey, scope }} onDone={() => setOpen(undefined)} />
      )}
      <HistoryDialog
        home={applicationHome(application.id)}
        variable={open === 'history' ? variable : undefined}
        canChange={can('restoreApplicationEnvVarVersion')}
        onClose={() => setOpen(undefined)}
      />
      <ConfirmDialog
        open={open === 'delete'}
        onClose={() => setOpen(undefined)}
        title={`Delete ${variableKey} from ${name}?`}
        action="Delete variable"
        onConfirm={remove}
        call={{
          method: 'DELETE',
          path: `/applications/${application.id}/env-vars/${variable?.id ?? ''}`,
        }}
      >
        Its history is deleted too. The application falls back to the value of the next scope, if any.
      </ConfirmDialog>
    </li>
  );
}

function Value({ variable, isShown }: { variable: { value: string | null } | undefined; isShown: boolean }) {
  if (!variable) return <span className="text-faint">Not set</span>;
  if (variable.value === null) return <span className="text-faint">Sensitive</span>;
  if (!isShown) return <span className="text-faint">••••••••</span>;
  return variable.value === '' ? <span className="text-faint">empty</span> : variable.value;
}

interface EditorProps {
  variable: EnvVar | undefined;
  variableKey: string;
  scope: string;
  onDone: () => void;
}

function Editor({ variable, variableKey, scope, onDone }: EditorProps) {
  const application = useApplication();
  const refresh = useRefreshVariables(application.id);
  const save = useAction({
    quiet: true,
    run: ({ value, sensitive }: { value: string; sensitive: boolean }) =>
      variable
        ? api.applicationEnvVars.update(application.id, variable.id, { value, sensitive })
        : api.applicationEnvVars.create(application.id, {
            key: variableKey,
            value,
            sensitive,
            ...placeOf(scope),
          }),
    done: ({ key }) => `${key} saved`,
  });
  const form = useAppForm({
    defaultValues: { value: variable?.value ?? '', sensitive: variable?.sensitive ?? false },
    validators: {
      onSubmitAsync: sending(async (values: { value: string; sensitive: boolean }) => {
        await save.mutateAsync(values);
        await refresh();
        onDone();
      }),
    },
  });
  return (
    <Form form={form} className="mt-3 space-y-3">
      <form.AppField name="value">
        {(field) => (
          <field.TextAreaField
            label="Value"
            mono
            rows={3}
            {...(variable?.sensitive ? { placeholder: 'New value' } : {})}
          />
        )}
      </form.AppField>
      <form.AppField name="sensitive">{(field) => <field.CheckboxField label="Sensitive" />}</form.AppField>
      <form.AppForm>
        <form.FormError />
        <div className="flex justify-end gap-2">
          <Button look="ghost" onClick={onDone}>
            Cancel
          </Button>
          <form.SubmitButton>Save</form.SubmitButton>
        </div>
      </form.AppForm>
    </Form>
  );
}
