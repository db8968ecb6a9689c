import { useQueryClient } from '@tanstack/react-query';
import type { OpenCache } from '#areas/cache/data.ts';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

interface NewItemDialogProps {
  open: OpenCache;
  prefix: string;
  onClose: () => void;
}

interface Values {
  key: string;
  value: string;
  /** Seconds. */
  expiration: string;
}

const lives = [
  { value: '0', label: 'Never' },
  { value: '60', label: 'In a minute' },
  { value: '3600', label: 'In one hour' },
  { value: '86400', label: 'In a day' },
  { value: '2592000', label: 'In 30 days' },
];

export function NewItemDialog({ open, prefix, onClose }: NewItemDialogProps) {
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: { key: prefix, value: '', expiration: '3600' },
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        await open.set(bodyOf(values));
        await client.invalidateQueries({ queryKey: ['cache'] });
        toast.done(`${values.key} saved`);
        onClose();
      }),
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create an item"
      description="An existing item with this key is replaced."
    >
      <Form form={form}>
        <form.AppField name="key">
          {(field) => <field.TextField label="Key" mono placeholder="user:1" autoFocus required />}
        </form.AppField>
        <form.AppField name="value">
          {(field) => <field.TextAreaField label="Value" mono rows={5} />}
        </form.AppField>
        <form.AppField name="expiration">
          {(field) => <field.SelectField label="Expires" options={lives} />}
        </form.AppField>
        <form.AppForm>
          <form.FormError />
          <DialogActions
            aside={
              <form.Subscribe selector={(state) => state.values}>
                {(values) => <ViewAsCode call={{ method: 'POST', path: open.path, body: bodyOf(values) }} />}
              </form.Subscribe>
            }
          >
            <form.SubmitButton>Write</form.SubmitButton>
          </DialogActions>
        </form.AppForm>
      </Form>
    </Dialog>
  );
}

function bodyOf({ key, value, expiration }: Values) {
  return { key, value, expiration: Number(expiration) };
}
