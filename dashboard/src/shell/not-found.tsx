import { Link } from '@tanstack/react-router';
import { buttonClass } from '#ui/button-class.ts';

/** In the frame where there is one: whoever mistyped an address is still where they were. */
export function NotFound() {
  return (
    <div className="mx-auto max-w-md px-6 py-24 text-center">
      <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight outline-none">
        Page not found
      </h1>
      <p className="mt-2 text-muted">
        The address may be wrong, the page may have been deleted, or your account has no access to it.
      </p>
      <Link to="/" className={buttonClass({ className: 'mt-6' })}>
        Go to the dashboard
      </Link>
    </div>
  );
}
