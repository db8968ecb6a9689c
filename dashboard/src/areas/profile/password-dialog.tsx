import { usePerson } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';

interface PasswordDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description: string;
  action: string;
  /** `password` is there for people who have one. */
  onConfirm: (body: { password?: string }) => Promise<unknown>;
}

/** Asks for the password before something that a stranger at an open screen must not do. */
export function PasswordDialog({ open, onClose, title, description, ...rest }: PasswordDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title} description={description}>
      <PasswordForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

function PasswordForm({
  action,
  onConfirm,
  onClose,
}: Pick<PasswordDialogProps, 'action' | 'onConfirm' | 'onClose'>) {
  const { hasPassword } = usePerson();
  const form = useAppForm({
    defaultValues: { password: '' },
    validators: {
      onSubmitAsync: sending(async ({ password }: { password: string }) => {
        await onConfirm(hasPassword ? { password } : {});
      }),
    },
  });
  return (
    <Form form={form}>
      {hasPassword && (
        <form.AppField name="password">
          {(field) => (
            <field.PasswordField label="Your password" autoComplete="current-password" autoFocus required />
          )}
        </form.AppField>
      )}
      <form.AppForm>
        <form.FormError />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <form.SubmitButton>{action}</form.SubmitButton>
        </DialogActions>
      </form.AppForm>
    </Form>
  );
}
