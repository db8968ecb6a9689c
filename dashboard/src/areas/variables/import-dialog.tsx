import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '#api/client.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { variablesPath, variablesQuery } from '#areas/variables/data.ts';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

/** Many at once, as they stand in a .env file. The API takes all of them or none, and says which line is wrong. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const organization = useOrganization();
  const client = useQueryClient();
  const file = useRef<HTMLInputElement>(null);
  const path = `${variablesPath(organization.id)}/import`;
  const form = useAppForm({
    defaultValues: { content: '', sensitive: false, overwrite: true },
    validators: {
      onSubmitAsync: sending(async (body: { content: string; sensitive: boolean; overwrite: boolean }) => {
        const { created, updated, unchanged } = await api.envVars.import(organization.id, body);
        await client.invalidateQueries(variablesQuery(organization.id));
        toast.done(`${created} created, ${updated} changed, ${unchanged} unchanged`);
        onClose();
      }),
    },
  });
  const read = async (chosen: File | undefined) => {
    if (chosen) form.setFieldValue('content', await chosen.text());
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Import a .env file"
      description="Either all variables are imported or none."
    >
      <Form form={form}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a file can be chosen by the button too. */}
        <div
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            void read(event.dataTransfer.files[0]);
          }}
        >
          <form.AppField name="content">
            {(field) => (
              <field.TextAreaField
                label="Variables"
                mono
                rows={12}
                required
                placeholder={'# Comments are left out\nDATABASE_URL="postgres://…"\nexport LOG_LEVEL=info'}
                aside={
                  <>
                    <input
                      ref={file}
                      type="file"
                      aria-label="A .env file"
                      className="sr-only"
                      tabIndex={-1}
                      onChange={({ target }) => void read(target.files?.[0])}
                    />
                    <Button look="ghost" size="sm" onClick={() => file.current?.click()}>
                      Choose a file
                    </Button>
                  </>
                }
              />
            )}
          </form.AppField>
        </div>
        <form.AppField name="sensitive">
          {(field) => (
            <field.CheckboxField
              label="Mark new variables as sensitive"
              hint="Existing variables keep their setting."
            />
          )}
        </form.AppField>
        <form.AppField name="overwrite">
          {(field) => (
            <field.CheckboxField
              label="Update existing variables"
              hint="If off, an existing variable cancels the import."
            />
          )}
        </form.AppField>
        <form.AppForm>
          <form.FormError />
          <DialogActions
            aside={
              <form.Subscribe selector={(state) => state.values}>
                {(body) => <ViewAsCode call={{ method: 'POST', path, body }} />}
              </form.Subscribe>
            }
          >
            <form.SubmitButton>Import</form.SubmitButton>
          </DialogActions>
        </form.AppForm>
      </Form>
    </Dialog>
  );
}
