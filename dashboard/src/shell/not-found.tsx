import { Link } from '@tanstack/react-router';
import { buttonClass } from '#ui/button-class.ts';

export function NotFound() {
  return (
    <div className="mx-auto max-w-md px-6 py-24 text-center">
      <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight outline-none">
        Nothing is here
      </h1>
      <p className="mt-2 text-muted">
        The address is wrong, or what was here is gone, or it is not visible to the account that you are
        signed in with.
      </p>
      <Link to="/" className={buttonClass({ className: 'mt-6' })}>
        To the dashboard
      </Link>
    </div>
  );
}
