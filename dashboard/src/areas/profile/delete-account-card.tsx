import { useState } from 'react';
import { idp } from '#api/idp.ts';
import { FreshSession } from '#areas/profile/fresh-session.tsx';
import { PasswordDialog } from '#areas/profile/password-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';

export function DeleteAccountCard() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      tone="danger"
      title="Delete the account"
      description="This cannot be undone. First transfer or delete the organizations that you are the only owner of."
    >
      <FreshSession what="To delete your account">
        <Button look="danger" onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </FreshSession>
      <PasswordDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Delete your account?"
        description="Your sessions, your keys and the access of OAuth apps end immediately. This cannot be undone."
        action="Delete permanently"
        onConfirm={async (body) => {
          await idp('post', '/idp/delete-account', { body });
          location.assign('/sign-in');
        }}
      />
    </Card>
  );
}
