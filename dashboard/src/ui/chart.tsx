import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface Series {
  label: string;
  values: (number | null)[];
}

interface ChartProps {
  /** What it shows, for those who do not see it. */
  label: string;
  /** Seconds since 1970, rising. */
  times: number[];
  /** Up to three. */
  series: Series[];
  format?: (value: number) => string;
  height?: number;
}

/** Numbers over time, by uPlot. */
export function Chart({ label, times, series, format = String, height = 180 }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const style = getComputedStyle(element);
    // A canvas knows no light-dark(): an element's own colour is the one of the two that counts.
    const color = (name: string) => {
      element.style.color = `var(--color-${name})`;
      return style.color;
    };
    const draw = () => {
      const axis = {
        stroke: color('faint'),
        grid: { stroke: color('line'), width: 1 },
        ticks: { show: false },
      };
      const font = `11px ${style.fontFamily}`;
      return new uPlot(
        {
          width: element.clientWidth,
          height,
          cursor: { y: false },
          legend: { show: series.length > 1 },
          axes: [
            { ...axis, font, grid: { show: false } },
            { ...axis, font, size: 56, values: (_plot, ticks) => ticks.map(format) },
          ],
          series: [
            {},
            ...series.map(({ label }, index) => ({
              label,
              stroke: color(`series-${index + 1}`),
              width: 1.5,
              points: { show: false },
              value: (_plot: uPlot, value: number | null) => (value === null ? '–' : format(value)),
            })),
          ],
        },
        [times, ...series.map(({ values }) => values)],
        element,
      );
    };
    let plot = draw();
    const redraw = () => {
      plot.destroy();
      plot = draw();
    };
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    const themed = new MutationObserver(redraw);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [times, series, format, height]);
  return <div ref={holder} role="img" aria-label={label} className="min-w-0 overflow-hidden" />;
}
