import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { CallMenu } from '#ui/call-menu.tsx';

interface Crumb {
  text: string;
  link: LinkProps;
}

interface PageHeaderProps {
  title: string;
  /** One sentence: what the screen is for. */
  description?: ReactNode;
  /** At the right of the title: the state of what the page is about. */
  badge?: ReactNode;
  /** Of a detail page: the way back up. */
  crumbs?: readonly Crumb[];
  /** The primary button, at the right; at most one more beside it. */
  actions?: ReactNode;
  /** Menu items for the rest, in the overflow menu. */
  menu?: ReactNode;
  /** The call that reads what the page shows, for "View as code" in the overflow menu. */
  call?: ApiCall;
}

/** The head of a screen. Its heading gets the focus when a person comes here from another screen. */
export function PageHeader({ title, description, badge, crumbs, actions, menu, call }: PageHeaderProps) {
  return (
    <header className="mb-6">
      {crumbs && <Breadcrumb crumbs={crumbs} />}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight outline-none wrap-anywhere">
              {title}
            </h1>
            {badge}
          </div>
          {description && <div className="mt-1 max-w-prose text-pretty text-muted">{description}</div>}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {actions}
          {(menu || call) && (
            <CallMenu look="secondary" label={title} call={call}>
              {menu}
            </CallMenu>
          )}
        </div>
      </div>
    </header>
  );
}

function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="mb-2">
      <ol className="flex flex-wrap items-center gap-1 text-muted">
        {crumbs.map(({ text, link }) => (
          <li key={text} className="flex min-w-0 items-center gap-1">
            <Link
              {...link}
              className="inline-flex min-h-6 items-center truncate rounded-sm hover:text-ink pointer-coarse:min-h-11"
            >
              {text}
            </Link>
            <ChevronRight aria-hidden className="size-3.5 shrink-0 text-faint" />
          </li>
        ))}
      </ol>
    </nav>
  );
}
