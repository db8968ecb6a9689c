import { CircleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { signInAgain } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';

/** A failure beside what failed. `sentence` says what to do: it is the API's own (`sentenceOf`). */
export function ErrorNotice({
  sentence,
  action,
  className,
}: {
  sentence: string;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div
      role="alert"
      className={classes(
        'flex items-start gap-2.5 rounded-md bg-danger-soft px-3 py-2.5 text-danger',
        className,
      )}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 wrap-anywhere">{sentence}</div>
      {action ?? (wantsFreshSession(sentence) && <SignInAgain />)}
    </div>
  );
}

/** What the API says, in every area, where a session is too old for what was asked. */
function wantsFreshSession(sentence: string): boolean {
  return sentence.startsWith('Sign in again first');
}

function SignInAgain() {
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      size="sm"
      busy={isBusy}
      onClick={() => {
        setBusy(true);
        signInAgain().catch(() => setBusy(false));
      }}
    >
      Sign in again
    </Button>
  );
}

/** Something to know before going on. */
export function Notice({ tone = 'accent', children }: { tone?: 'accent' | 'warning'; children: ReactNode }) {
  const look = { accent: 'bg-accent-soft text-accent-text', warning: 'bg-warning-soft text-warning' }[tone];
  return <div className={classes('rounded-md px-3 py-2.5', look)}>{children}</div>;
}
