import type { AiPriceListState } from '@mainstay/sdk';
import { classes } from '#ui/classes.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

const oldMilliseconds = 30 * 86_400_000;

/** Of when the prices are that are not set by hand, and why newer ones could not be fetched. */
export function PriceAges({ lists }: { lists: readonly AiPriceListState[] }) {
  return (
    <ul aria-label="Price lists" className="mb-4 flex flex-col gap-1 text-muted">
      {lists.map(({ name, asOf, failure }) => {
        const isOld = asOf !== null && Date.now() - Date.parse(asOf) > oldMilliseconds;
        return (
          <li key={name} className={classes('min-w-0 break-words', (isOld || failure) && 'text-warning')}>
            {name}: {asOf === null ? 'not fetched yet' : 'priced as of '}
            {asOf !== null && <RelativeTime time={asOf} />}
            {failure && `. The last fetch failed: ${failure}.`}
          </li>
        );
      })}
    </ul>
  );
}
