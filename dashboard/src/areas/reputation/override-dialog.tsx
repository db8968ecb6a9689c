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
  { value: 'block', label: 'Block', hint: 'Block the domain, whatever the threat feeds say' },
  { value: 'allow', label: 'Allow', hint: 'Allow the domain, whatever the threat feeds say' },
];
const usual = { value: '', label: 'Default' };
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
        toast.done(override ? `${domain} updated` : `Override for ${domain} created`);
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
                hint="Also applies to all subdomains."
                spellCheck={false}
                autoFocus
                required
              />
            )}
          </form.AppField>
        )}
        <form.AppField name="action">
          {(field) => <field.SelectField label="Action" options={actions} />}
        </form.AppField>
        <form.AppField name="status">
          {(field) => (
            <field.SelectField
              label="Status in responses"
              options={statuses}
              hint="For a block, spam by default; for an allow, neutral or relay e-mail."
            />
          )}
        </form.AppField>
        <form.AppField name="note">
          {(field) => <field.TextAreaField label="Note" hint="Shown to other members." />}
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
