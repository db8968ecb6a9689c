import { classes } from '#ui/classes.ts';

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes('animate-pulse rounded-md bg-pressed', className)} />;
}

/** A screen while its data is on the way: the shape of most of them, so that little moves when it comes. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="h-7 w-44" />
      <Skeleton className="mt-2 h-4 w-72 max-w-full" />
      <div className="mt-8 space-y-2.5">
        {[0, 1, 2, 3, 4, 5].map((line) => (
          <Skeleton key={line} className="h-10 w-full" />
        ))}
      </div>
    </div>
  );
}
