import { CircleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { requestIdOf, sentenceOf } from '#api/errors.ts';
import { signInAgain } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';

interface ErrorNoticeProps {
  /** What failed: its sentence is the API's own, and its request ID stands behind a disclosure. */
  error?: unknown;
  /** In place of the error's sentence, where the page has a better one. */
  sentence?: string;
  action?: ReactNode;
  className?: string;
}

/** A failure beside what failed. */
export function ErrorNotice({ error, sentence = sentenceOf(error), action, className }: ErrorNoticeProps) {
  return (
    <div
      role="alert"
      className={classes(
        'flex items-start gap-2.5 rounded-md bg-danger-soft px-3 py-2.5 text-danger',
        className,
      )}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {sentence}
        <RequestId id={requestIdOf(error)} />
      </div>
      {action ?? (wantsFreshSession(sentence) && <SignInAgain />)}
    </div>
  );
}

/** Names the failed request in the log of the instance, for whoever asks its operator. */
export function RequestId({ id }: { id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <details className="mt-0.5 text-xs font-normal">
      <summary className="inline-flex min-h-6 w-fit cursor-pointer items-center underline pointer-coarse:min-h-11">
        Details
      </summary>
      Request ID <code className="font-mono select-all">{id}</code>
    </details>
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

/** Something to know before continuing. */
export function Notice({ tone = 'accent', children }: { tone?: 'accent' | 'warning'; children: ReactNode }) {
  const look = { accent: 'bg-accent-soft text-accent-text', warning: 'bg-warning-soft text-warning' }[tone];
  return <div className={classes('rounded-md px-3 py-2.5', look)}>{children}</div>;
}
