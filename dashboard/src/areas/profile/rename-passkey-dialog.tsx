import type { Passkey } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { idp } from '#api/idp.ts';
import { passkeysQuery } from '#areas/profile/data.ts';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';

interface RenamePasskeyDialogProps {
  passkey: Passkey;
  isNew?: boolean;
  onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, isNew = false, onClose }: RenamePasskeyDialogProps) {
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: { name: passkey.name ?? '' },
    validators: {
      onSubmitAsync: sending(async ({ name }: { name: string }) => {
        await idp('post', '/idp/passkey/update-passkey', { body: { id: passkey.id, name } });
        await client.invalidateQueries(passkeysQuery);
        onClose();
      }),
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? 'Passkey added' : 'Rename the passkey'}
      {...(isNew ? { description: 'Name it after the device so that you recognize it later.' } : {})}
    >
      <Form form={form}>
        <form.AppField name="name">
          {(field) => <field.TextField label="Name" placeholder="Work laptop" autoFocus required />}
        </form.AppField>
        <form.AppForm>
          <form.FormError />
          <DialogActions>
            <form.SubmitButton>Save name</form.SubmitButton>
          </DialogActions>
        </form.AppForm>
      </Form>
    </Dialog>
  );
}
