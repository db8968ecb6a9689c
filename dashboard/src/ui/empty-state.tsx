import { lazy, type ReactNode, Suspense } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { Skeleton } from '#ui/skeleton.tsx';

const CallTabs = lazy(() => import('#ui/code-tabs.tsx').then(({ CallTabs: tabs }) => ({ default: tabs })));

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** What this is for, in a sentence or two. */
  children: ReactNode;
  action?: ReactNode;
  /** The same by code, in every language that the documentation uses. */
  call?: ApiCall;
}

/** A list with nothing in it teaches what it is for. */
export function EmptyState({ icon, title, children, action, call }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-edge/60 px-4 py-12 text-center">
      <div
        aria-hidden
        className="mb-4 flex size-11 items-center justify-center rounded-lg bg-accent-soft text-accent-text [&_svg]:size-5"
      >
        {icon}
      </div>
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="mt-1 max-w-md text-pretty text-muted">{children}</div>
      {action && <div className="mt-5 flex gap-2">{action}</div>}
      {call && (
        <div className="mt-8 w-full max-w-xl text-left">
          <Suspense fallback={<Skeleton className="h-28 w-full" />}>
            <CallTabs call={call} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
