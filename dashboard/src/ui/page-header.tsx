import type { ReactNode } from 'react';
import type { ApiCall } from '#api/curl.ts';
import { CopyAsCurl } from '#ui/copy-as-curl.tsx';

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  /** The primary button, at the right. */
  actions?: ReactNode;
  /** The call that reads what the page shows. */
  call?: ApiCall;
}

/** The head of a screen. Its heading gets the focus when a person comes here from another screen. */
export function PageHeader({ title, description, actions, call }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-80">
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight outline-none wrap-anywhere">
          {title}
        </h1>
        {description && <div className="mt-1 max-w-prose text-pretty text-muted">{description}</div>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {call && <CopyAsCurl call={call} />}
        {actions}
      </div>
    </header>
  );
}
