import type { CreatedInvitation } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { invitationsQuery, type Role, roleName, roles } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [made, setMade] = useState<CreatedInvitation>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      sticky={made !== undefined}
      title={made ? `Invitation link for ${made.email}` : 'Invite member'}
    >
      {made?.url ? (
        <>
          <Notice tone="warning">
            This instance sends no e-mail. Share this link yourself. It is shown only once, works once, and
            adds the person as {roleName(made.role).toLowerCase()}.
          </Notice>
          <div className="mt-4">
            <CodeBlock label={`Only for the account of ${made.email}`} code={made.url} />
          </div>
          <DialogActions>
            <Button look="primary" onClick={close}>
              Done
            </Button>
          </DialogActions>
        </>
      ) : (
        <InviteForm
          onMade={(invitation) => {
            if (invitation.url) setMade(invitation);
            else {
              toast.done(`Invitation sent to ${invitation.email}`);
              close();
            }
          }}
        />
      )}
    </Dialog>
  );
}

function InviteForm({ onMade }: { onMade: (invitation: CreatedInvitation) => void }) {
  const { id } = useOrganization();
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: { email: '', role: 'MEMBER' as string },
    validators: {
      onSubmitAsync: sending(async ({ email, role }: { email: string; role: string }) => {
        const invitation = await api.invitations.create(id, { email: email.trim(), role: role as Role });
        await client.invalidateQueries(invitationsQuery(id));
        onMade(invitation);
      }),
    },
  });
  return (
    <Form form={form}>
      <form.AppField name="email">
        {(field) => <field.TextField label="E-mail" type="email" autoComplete="off" autoFocus required />}
      </form.AppField>
      <form.AppField name="role">
        {(field) => <field.SelectField label="Role" options={roles} />}
      </form.AppField>
      <form.AppForm>
        <form.FormError />
        <form.Subscribe selector={(state) => state.values}>
          {(body) => (
            <DialogActions
              aside={<ViewAsCode call={{ method: 'POST', path: `/organizations/${id}/invitations`, body }} />}
            >
              <form.SubmitButton>Send invitation</form.SubmitButton>
            </DialogActions>
          )}
        </form.Subscribe>
      </form.AppForm>
    </Form>
  );
}
