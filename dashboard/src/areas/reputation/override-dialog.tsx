import type { ReputationOverride } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { OverrideSet, Status } from '#areas/reputation/data.ts';
import { statusTexts } from '#areas/reputation/status-badge.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

interface OverrideDialogProps {
  set: OverrideSet;
  /** The one to change; a new one where there is none. */
  override?: ReputationOverride;
  onClose: () => void;
}

interface Values {
  domain: string;
  action: string;
  /** Empty: the usual one of the action. */
  status: string;
  note: string;
}

const actions = [
  { value: 'block', label: 'Block', hint: 'Keep away from it, whatever the lists say' },
  { value: 'allow', label: 'Allow', hint: 'Let it in, whatever the lists say' },
];
const usual = { value: '', label: 'The usual one' };
const statuses = [usual, ...Object.entries(statusTexts).map(([value, label]) => ({ value, label }))];

export function OverrideDialog({ set, override, onClose }: OverrideDialogProps) {
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: {
      domain: override?.domain ?? '',
      action: override?.action ?? 'block',
      status: override?.status ?? '',
      note: override?.note ?? '',
    },
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        const { domain } = values;
        if (override) await set.update(override.id, bodyOf(values));
        else await set.create({ domain, ...bodyOf(values) });
        await client.invalidateQueries({ queryKey: ['reputation'] });
        toast.done(override ? `${domain} is changed` : `${domain} has an override`);
        onClose();
      }),
    },
  });
  return (
    <Dialog open onClose={onClose} title={override ? override.domain : 'New override'}>
      <Form form={form}>
        {!override && (
          <form.AppField name="domain">
            {(field) => (
              <field.TextField
                label="Domain"
                placeholder="example.com"
                hint="It holds for everything below it too."
                spellCheck={false}
                autoFocus
                required
              />
            )}
          </form.AppField>
        )}
        <form.AppField name="action">
          {(field) => <field.SelectField label="Does" options={actions} />}
        </form.AppField>
        <form.AppField name="status">
          {(field) => (
            <field.SelectField
              label="Status in answers"
              options={statuses}
              hint="For a block one to keep away from, spam unless said; for an allowance neutral or relay e-mail."
            />
          )}
        </form.AppField>
        <form.AppField name="note">
          {(field) => <field.TextAreaField label="Why" hint="For whoever comes across it later." />}
        </form.AppField>
        <form.AppForm>
          <form.FormError />
          <DialogActions
            aside={
              <form.Subscribe selector={(state) => state.values}>
                {(values) => (
                  <ViewAsCode
                    call={
                      override
                        ? { method: 'PATCH', path: `${set.path}/${override.id}`, body: bodyOf(values) }
                        : {
                            method: 'POST',
                            path: set.path,
                            body: { domain: values.domain, ...bodyOf(values) },
                          }
                    }
                  />
                )}
              </form.Subscribe>
            }
          >
            <form.SubmitButton>{override ? 'Save' : 'Create'}</form.SubmitButton>
          </DialogActions>
        </form.AppForm>
      </Form>
    </Dialog>
  );
}

function bodyOf({ action, status, note }: Values) {
  return {
    action: action as 'block' | 'allow',
    ...(status === '' ? {} : { status: status as Status }),
    note: note === '' ? null : note,
  };
}
