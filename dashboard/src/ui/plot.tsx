import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { bytesText, countText } from '#api/numbers.ts';

interface Series {
  label: string;
  values: (number | null)[];
  /** For what has a meaning of its own, such as failures; else one colour after the other. */
  tone?: 'warning' | 'danger';
}

export interface PlotProps {
  /** What it shows, for those who do not see it. */
  label: string;
  /** Seconds since 1970, rising. */
  times: number[];
  /** Up to three. */
  series: Series[];
  format?: (value: number) => string;
  height?: number;
  /** Counts of an interval each, as bars: the series stand upon each other, the last at the bottom. */
  stacked?: boolean;
  /** Somebody drew over a part of the time: seconds since 1970. A double click is `undefined`: all of it. */
  onBrush?: (range: [from: number, to: number] | undefined) => void;
}

const day = 86_400;
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function lonely(values: readonly (number | null)[]): number[] | null {
  const isGap = (at: number) => values[at] === null || values[at] === undefined;
  const found = values.flatMap((_, at) => (!isGap(at) && isGap(at - 1) && isGap(at + 1) ? [at] : []));
  return found.length > 0 ? found : null;
}

const toneColors = { warning: 'series-2', danger: 'danger-solid' };

/** The time that is drawn: half a step more at either end, so that bars are whole and one point alone has a place. */
function widened(times: readonly number[], from: number, to: number): [number, number] {
  const [first = 0, second] = times;
  // Around a single point uPlot would draw years.
  if (second === undefined) return [first - day / 2, first + day / 2];
  const half = (second - first) / 2;
  return [from - half, to + half];
}

const powers = (base: number, count: number) => Array.from({ length: count }, (_, power) => base ** power);

/** Steps between the marks of the axis: sizes are round in powers of two, and there is no half of a request. */
function stepsOf(format: (value: number) => string): number[] | undefined {
  if (format === bytesText) return powers(2, 60);
  if (format === countText) return powers(10, 16).flatMap((power) => [power, 2 * power, 5 * power]);
  return undefined;
}

/** The last interval is not over yet and would look like a fall: the line to it is dotted, as in `Sparkline`. */
function isOpen(times: readonly number[]): boolean {
  const [before, last] = times.slice(-2);
  return (
    times.length > 2 && last !== undefined && before !== undefined && 2 * last - before > Date.now() / 1000
  );
}

function drawDotted(plot: uPlot, series: number): void {
  const [times, values] = [plot.data[0], plot.data[series]];
  const ends = [times.length - 2, times.length - 1].map((at) => ({ time: times[at], value: values?.[at] }));
  const points = ends.flatMap(({ time, value }) =>
    typeof time === 'number' && typeof value === 'number'
      ? [[plot.valToPos(time, 'x', true), plot.valToPos(value, 'y', true)] as const]
      : [],
  );
  const [from, to] = points;
  if (!from || !to) return;
  const { ctx } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  ctx.clip();
  ctx.beginPath();
  ctx.setLineDash([2 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
  ctx.lineWidth = 1.5 * uPlot.pxRatio;
  const { stroke } = plot.series[series] ?? {};
  ctx.strokeStyle = (typeof stroke === 'function' ? stroke(plot, series) : stroke) ?? '';
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
  ctx.restore();
}

/** How high the bars of each series reach: those of the series behind it are below. They are drawn one over the other. */
function stack(series: readonly Series[]): number[][] {
  const tops: number[][] = [];
  let below: number[] | undefined;
  for (const { values } of series.toReversed()) {
    below = values.map((value, at) => (value ?? 0) + (below?.[at] ?? 0));
    tops.unshift(below);
  }
  return tops;
}

/** Numbers over time, by uPlot. Screens use `Chart`, which has the numbers as a table too. */
export default function Plot(props: PlotProps) {
  const { label, times, series, format = String, height = 180, stacked = false, onBrush } = props;
  const holder = useRef<HTMLDivElement>(null);
  const brush = useRef(onBrush);
  brush.current = onBrush;
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
      const fill = color('accent-soft');
      const strokes = series.map(({ tone }, at) => color(tone ? toneColors[tone] : `series-${at + 1}`));
      const bars = stacked && uPlot.paths.bars?.({ size: [0.8, 40] });
      const line = !stacked && isOpen(times) ? uPlot.paths.linear?.() : undefined;
      const steps = stepsOf(format);
      element.style.color = '';
      return new uPlot(
        {
          width: element.clientWidth,
          height,
          cursor: { y: false, drag: { x: true, y: false, setScale: brush.current === undefined } },
          legend: { live: true },
          // Counts, sizes and durations: a curve that does not begin at zero exaggerates.
          scales: {
            x: {
              range: (_plot, from, to) =>
                stacked || times.length === 1 ? widened(times, from, to) : [from, to],
            },
            y: { range: { min: { pad: 0, soft: 0, mode: 1 }, max: { pad: 0.1, soft: 0, mode: 1 } } },
          },
          hooks: {
            setSelect: [
              (plot) => {
                const { left, width } = plot.select;
                if (width < 8 || !brush.current) return;
                const range: [number, number] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
                plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
                brush.current(range);
              },
            ],
            drawSeries: line ? [drawDotted] : [],
          },
          axes: [
            {
              ...axis,
              font,
              size: 28,
              grid: { show: false },
              values: (_plot, ticks, _axis, _space, increment) =>
                ticks.map((tick) => (increment >= day ? date : hour).format(tick * 1000)),
            },
            {
              ...axis,
              font,
              size: 56,
              values: (_plot, ticks) => ticks.map(format),
              ...(steps ? { incrs: steps } : {}),
            },
          ],
          series: [
            {
              value: (_plot: uPlot, value: number | null) =>
                value === null ? '' : moment.format(value * 1000),
            },
            ...series.map(({ label, values }, index) => {
              const stroke = strokes[index] ?? '';
              return {
                label,
                stroke,
                // What has no neighbour is no line, and would not be seen.
                points: { show: () => false, size: 4, filter: () => (bars ? null : lonely(values)) },
                // The series' own number, whatever it stands upon; nothing while the pointer is elsewhere.
                value: (_plot: uPlot, _drawn: number | null, _series: number, at: number | null) => {
                  if (at === null) return '';
                  const value = values[at];
                  return value === null || value === undefined ? '–' : format(value);
                },
                ...(bars
                  ? { paths: bars, width: 0, fill: stroke }
                  : { width: 1.5, fill: series.length === 1 ? fill : 'transparent' }),
                ...(line
                  ? {
                      paths: (plot: uPlot, at: number, from: number, to: number) =>
                        line(plot, at, from, Math.min(to, times.length - 2)),
                    }
                  : {}),
              };
            }),
          ],
        },
        [times, ...(stacked ? stack(series) : series.map(({ values }) => values))],
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
  }, [times, series, format, height, stacked]);
  return (
    <div
      ref={holder}
      role="img"
      aria-label={label}
      className="min-w-0 overflow-hidden"
      onDoubleClick={() => brush.current?.(undefined)}
    />
  );
}
