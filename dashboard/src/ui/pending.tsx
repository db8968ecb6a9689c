import { ErrorNotice } from '#ui/error-notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

interface PendingProps {
  query: { data: unknown; error: Error | null };
  /** The height of what is to come. */
  className: string;
}

/** In the place of what a query has not brought yet: its shape, or why it does not come. Nothing once it is there. */
export function Pending({ query: { data, error }, className }: PendingProps) {
  if (error) return <ErrorNotice error={error} />;
  return data === undefined ? <Skeleton className={`w-full ${className}`} /> : null;
}
