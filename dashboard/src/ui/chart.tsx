import { ChartSpline, Table } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { IconButton } from '#ui/button.tsx';
import type { PlotProps } from '#ui/plot.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const Plot = lazy(() => import('#ui/plot.tsx'));
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Numbers over time: a curve with a legend that follows the pointer, and the same numbers as a table. */
export function Chart(props: PlotProps) {
  const { label, times, series, format = String, height = 180 } = props;
  const [isTable, setTable] = useState(false);
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  return (
    <figure className="relative min-w-0">
      <figcaption className="mb-2 flex min-h-7 items-center justify-between gap-3 font-medium">
        {label}
        <IconButton
          size="sm"
          label={isTable ? 'Show as a chart' : 'Show as a table'}
          icon={isTable ? <ChartSpline aria-hidden /> : <Table aria-hidden />}
          onClick={() => setTable(!isTable)}
        />
      </figcaption>
      {isTable ? (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
          tabIndex={0}
          aria-label={`${label}, as a table`}
          className="overflow-auto rounded-md border"
          style={{ height: height + 32 }}
        >
          <table className="w-full text-left tabular-nums">
            <thead className="sticky top-0 bg-sunken text-xs text-muted">
              <tr>
                <th className="px-3 py-1.5 font-medium">Time</th>
                {series.map((one) => (
                  <th key={one.label} className="px-3 py-1.5 text-right font-medium">
                    {one.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, at) => (
                <tr key={time} className="border-t">
                  <td className="px-3 py-1">{exact.format(time * 1000)}</td>
                  {series.map(({ label: name, values }) => (
                    <td key={name} className="px-3 py-1 text-right">
                      {values[at] === null || values[at] === undefined ? '–' : format(values[at])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <div style={{ minHeight: height + 32 }}>
          <Suspense fallback={<Skeleton className="h-full min-h-40 w-full" />}>
            <Plot {...props} />
          </Suspense>
          {isEmpty && (
            <p className="absolute inset-x-0 top-1/2 text-center text-muted">No data in this time range</p>
          )}
        </div>
      )}
    </figure>
  );
}
