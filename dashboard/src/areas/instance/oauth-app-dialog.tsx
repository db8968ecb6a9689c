import type { CreatedOAuthClient, OAuthClient } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { oauthAppsQuery } from '#areas/instance/data.ts';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

interface OAuthAppDialogProps {
  /** The one to change; a new one where there is none. */
  program?: OAuthClient;
  onCreated: (created: CreatedOAuthClient) => void;
  onClose: () => void;
}

interface Values {
  name: string;
  redirectUris: string;
  scopes: string;
  confidential: boolean;
}
type Draft = Parameters<typeof api.admin.createOAuthClient>[0];
const path = '/admin/oauth-clients';

export function OAuthAppDialog({ program, onCreated, onClose }: OAuthAppDialogProps) {
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: {
      name: program?.name ?? '',
      redirectUris: program?.redirectUris.join('\n') ?? '',
      scopes: program?.scopes.join(' ') ?? 'openid profile email',
      confidential: program?.confidential ?? true,
    },
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        if (program) {
          await api.admin.updateOAuthClient(program.id, bodyOf(values));
          toast.done(`${values.name} updated`);
        } else {
          const { confidential } = values;
          onCreated(await api.admin.createOAuthClient({ ...bodyOf(values), confidential }));
        }
        await client.invalidateQueries(oauthAppsQuery);
        onClose();
      }),
    },
  });
  return (
    <Dialog open onClose={onClose} title={program ? program.name : 'Register OAuth app'}>
      <Form form={form}>
        <form.AppField name="name">
          {(field) => (
            <field.TextField label="Name" hint="Shown to users on the consent page." autoFocus required />
          )}
        </form.AppField>
        <form.AppField name="redirectUris">
          {(field) => (
            <field.TextAreaField
              label="Redirect URIs"
              mono
              rows={3}
              placeholder="https://wiki.example.com/callback"
              hint="One per line. Exact match."
            />
          )}
        </form.AppField>
        <form.AppField name="scopes">
          {(field) => (
            <field.TextAreaField label="Allowed scopes" mono rows={3} hint="Scopes, separated by spaces." />
          )}
        </form.AppField>
        {!program && (
          <form.AppField name="confidential">
            {(field) => (
              <field.CheckboxField
                label="Confidential client"
                hint="For apps that run on a server. Browser and mobile apps cannot keep a secret."
              />
            )}
          </form.AppField>
        )}
        <form.AppForm>
          <form.FormError />
          <DialogActions
            aside={
              <form.Subscribe selector={(state) => state.values}>
                {(values) => (
                  <ViewAsCode
                    call={
                      program
                        ? { method: 'PATCH', path: `${path}/${program.id}`, body: bodyOf(values) }
                        : {
                            method: 'POST',
                            path,
                            body: { ...bodyOf(values), confidential: values.confidential },
                          }
                    }
                  />
                )}
              </form.Subscribe>
            }
          >
            <form.SubmitButton>{program ? 'Save' : 'Register'}</form.SubmitButton>
          </DialogActions>
        </form.AppForm>
      </Form>
    </Dialog>
  );
}

function bodyOf({ name, redirectUris, scopes }: Values) {
  return {
    name,
    redirectUris: redirectUris.split(/\s+/).filter(Boolean),
    scopes: scopes.split(/\s+/).filter(Boolean) as Draft['scopes'],
  };
}
