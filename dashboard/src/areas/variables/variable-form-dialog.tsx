import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { Option } from '#ui/select.tsx';
import { toast } from '#ui/toast.ts';

export interface NewVariable {
  key: string;
  value: string;
  sensitive: boolean;
  /** One of `scopes`; empty where there is no choice. */
  scope: string;
}

interface VariableFormDialogProps {
  /** Of the API: where a variable is created. */
  path: string;
  /** Where it can be set; the first is chosen. */
  scopes?: readonly Option<string>[];
  scopeHint?: string;
  bodyOf: (values: NewVariable) => object;
  create: (values: NewVariable) => Promise<{ key: string }>;
  onImport?: () => void;
  onClose: () => void;
}

const referenceHint: ReactNode =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: how references to other variables are written.
  '${OTHER} refers to another variable. Write \\${OTHER} for literal text.';

/** A new variable of an organization, an application or an environment. */
export function VariableFormDialog(props: VariableFormDialogProps) {
  const { path, scopes, scopeHint, bodyOf, create, onImport, onClose } = props;
  const form = useAppForm({
    defaultValues: { key: '', value: '', scope: scopes?.[0]?.value ?? '', sensitive: false },
    validators: {
      onSubmitAsync: sending(async (values: NewVariable) => {
        const { key } = await create(values);
        toast.done(`${key} created`);
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title="New variable"
      form={form}
      submit="Create variable"
      call={(values: NewVariable) => ({ method: 'POST', path, body: bodyOf(values) })}
      {...(onImport ? { more: <ImportButton onImport={onImport} /> } : {})}
      onClose={onClose}
    >
      <form.AppField name="key">
        {(field) => (
          <field.TextField
            label="Key"
            mono
            placeholder="DATABASE_URL"
            autoComplete="off"
            autoFocus
            required
          />
        )}
      </form.AppField>
      <form.AppField name="value">
        {(field) => <field.TextAreaField label="Value" mono rows={3} hint={referenceHint} />}
      </form.AppField>
      {scopes && (
        <form.AppField name="scope">
          {(field) => (
            <field.SelectField label="Scope" options={scopes} {...(scopeHint ? { hint: scopeHint } : {})} />
          )}
        </form.AppField>
      )}
      <form.AppField name="sensitive">
        {(field) => (
          <field.CheckboxField
            label="Sensitive"
            hint="Its value is never shown again; it can only be replaced."
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}

function ImportButton({ onImport }: { onImport: () => void }) {
  return (
    <Button look="ghost" onClick={onImport}>
      Import .env instead
    </Button>
  );
}
