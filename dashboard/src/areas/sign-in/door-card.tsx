import type { ReactNode } from 'react';

/** What every page at the door looks like. */
export function DoorCard({
  title,
  description,
  children,
  footer,
}: {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
}) {
  return (
    <>
      <div className="rounded-lg border bg-surface p-6 shadow-low">
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight outline-none">
          {title}
        </h1>
        {description && <div className="mt-1 text-pretty text-muted">{description}</div>}
        {children !== undefined && <div className="mt-5">{children}</div>}
      </div>
      {footer && <div className="mt-4 text-center text-muted">{footer}</div>}
    </>
  );
}

/** A link inside a sentence. */
export const inlineLink =
  'font-medium text-accent-text underline decoration-accent/40 underline-offset-3 hover:decoration-accent';
