import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { isStatus } from '#api/errors.ts';
import { NotPermitted } from '#areas/organizations/permissions.ts';
import { NotFound } from '#shell/not-found.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

/** A screen whose data did not come, or that the person may not see. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  if (error instanceof NotPermitted) {
    return (
      <div className="mx-auto max-w-xl px-4 py-16">
        <h1 tabIndex={-1} className="mb-2 text-xl font-semibold tracking-tight outline-none">
          You do not have access to this page
        </h1>
        <p className="text-muted">
          Your role in this organization does not include it, or the organization does not have the product.
          Ask an owner of the organization.
        </p>
      </div>
    );
  }
  if (isStatus(error, 404)) return <NotFound />;
  return (
    <div className="mx-auto max-w-xl px-4 py-16">
      <h1 tabIndex={-1} className="mb-4 text-xl font-semibold tracking-tight outline-none">
        This page could not be loaded
      </h1>
      <ErrorNotice error={error} />
      <Button look="primary" className="mt-4" onClick={again}>
        Try again
      </Button>
    </div>
  );
}
