import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { idp } from '#api/idp.ts';
import { sessionQuery } from '#api/session.ts';
import { takeToken } from '#areas/sign-in/data.ts';
import { DoorCard, inlineLink } from '#areas/sign-in/door-card.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

/** Confirms an address by the link of a letter. It takes a press: programs that look into mail open links too. */
export function VerifyEmail() {
  const [token] = useState(takeToken);
  const confirm = useAction({
    run: () => idp('post', '/idp/verify-email', { body: { token } }),
    refresh: [sessionQuery.queryKey],
    quiet: true,
  });
  if (confirm.data?.sentTo !== undefined) {
    return (
      <DoorCard title="One more step">
        We sent an e-mail to <strong className="font-medium">{confirm.data.sentTo}</strong>. Open its link to
        move your account to that address.
      </DoorCard>
    );
  }
  if (confirm.isSuccess) {
    return (
      <DoorCard title="Confirmed">
        Your address is confirmed.{' '}
        <Link to="/" className={inlineLink}>
          Go on
        </Link>
      </DoorCard>
    );
  }
  return (
    <DoorCard title="Confirm your address">
      <div className="space-y-4">
        {confirm.error && <ErrorNotice error={confirm.error} />}
        <Button
          look="primary"
          size="lg"
          className="w-full"
          busy={confirm.isPending}
          onClick={() => confirm.mutate()}
        >
          Confirm
        </Button>
      </div>
    </DoorCard>
  );
}
