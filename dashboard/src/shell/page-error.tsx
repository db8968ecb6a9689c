import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { sentenceOf } from '#api/errors.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

/** A screen whose data did not come. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div className="mx-auto max-w-xl px-4 py-16">
      <h1 tabIndex={-1} className="mb-4 text-xl font-semibold tracking-tight outline-none">
        This page could not be shown
      </h1>
      <ErrorNotice sentence={sentenceOf(error)} />
      <Button look="primary" className="mt-4" onClick={again}>
        Try again
      </Button>
    </div>
  );
}
