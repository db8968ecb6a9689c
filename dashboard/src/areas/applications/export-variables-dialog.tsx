import { useState } from 'react';
import { api } from '#api/client.ts';
import { useApplication, useEnvironments } from '#areas/applications/data.ts';
import { useScopeOptions, wholeApplication } from '#areas/applications/variable-scopes.ts';
import { ExportDialog } from '#areas/variables/export-dialog.tsx';
import { Select } from '#ui/select.tsx';

/** Variables of the application itself, or those that an environment has of its own, as a .env file. */
export function ExportVariablesDialog({ onClose }: { onClose: () => void }) {
  const application = useApplication();
  const environments = useEnvironments();
  const [scope, setScope] = useState(wholeApplication);
  const environment = environments.find(({ id }) => id === scope)?.slug;
  const query = environment === undefined ? {} : { environment };
  const suffix = environment === undefined ? '' : `?environment=${environment}`;
  return (
    <ExportDialog
      description="Downloads the variables of one scope as a .env file. Sensitive values are never exported."
      of={[application.id, scope]}
      load={(signal) => api.applicationEnvVars.export(application.id, query, { signal })}
      fileName={`${[application.slug, environment].filter(Boolean).join('-')}.env`}
      call={{ method: 'GET', path: `/applications/${application.id}/env-vars/export${suffix}` }}
      onClose={onClose}
    >
      <Select label="Scope" value={scope} onChange={setScope} options={useScopeOptions()} />
    </ExportDialog>
  );
}
