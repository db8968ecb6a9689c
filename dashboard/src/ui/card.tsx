import type { ReactNode } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { CallMenu } from '#ui/call-menu.tsx';
import { classes } from '#ui/classes.ts';

interface CardProps {
  title?: string;
  description?: ReactNode;
  /** In the upper right corner. */
  actions?: ReactNode;
  /** A line at the bottom, set apart: the button that saves, a note beside it. */
  footer?: ReactNode;
  /** What the card shows or does, for "View as code" in its overflow menu. */
  call?: ApiCall | (() => ApiCall);
  tone?: 'danger';
  className?: string;
  children?: ReactNode;
}

export function Card(props: CardProps) {
  const { title, description, actions, footer, call, tone, className, children } = props;
  return (
    <section
      className={classes(
        'min-w-0 rounded-lg border bg-surface',
        tone === 'danger' && 'border-danger/40',
        className,
      )}
      {...(title ? { 'aria-label': title } : {})}
    >
      <div className="p-5">
        {(title || actions || call) && (
          <div
            className={classes('flex items-start justify-between gap-4', children !== undefined && 'mb-4')}
          >
            <div className="min-w-0">
              {title && <h2 className="text-base font-semibold">{title}</h2>}
              {description && <div className="mt-1 max-w-prose text-muted">{description}</div>}
            </div>
            {(actions || call) && (
              <div className="flex shrink-0 items-center gap-2">
                {actions}
                {call && <CallMenu label={title ?? ''} call={call} />}
              </div>
            )}
          </div>
        )}
        {children}
      </div>
      {footer && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-b-lg border-t bg-sunken px-5 py-3 text-muted">
          {footer}
        </div>
      )}
    </section>
  );
}
