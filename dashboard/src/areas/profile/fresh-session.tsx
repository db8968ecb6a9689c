import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAction } from '#api/action.ts';
import { sessionQuery, signInAgain } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/error-notice.tsx';

/** What is inside needs a recent sign-in; who signed in long ago is led to another one. */
export function FreshSession({ what, children }: { what: string; children: ReactNode }) {
  const { data } = useSuspenseQuery(sessionQuery);
  const { mutate, isPending } = useAction({ run: signInAgain });
  if (data.session?.fresh !== false) return children;
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-3">
        {what}, sign in again. Your last sign-in was too long ago.
        <Button size="sm" busy={isPending} onClick={() => mutate()}>
          Sign in again
        </Button>
      </div>
    </Notice>
  );
}
