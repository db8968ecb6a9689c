/**
 * The course of a number in the size of a word. The number itself stands beside it: this is for the eye alone. The last
 * interval is not over yet and would look like a fall: the line to it is dotted.
 */
export function Sparkline({
  values,
  className = '',
}: {
  values: readonly (number | null)[];
  className?: string;
}) {
  const known = values.map((value) => value ?? 0);
  const top = Math.max(...known, 0) || 1;
  const [width, height] = [120, 32];
  const step = width / Math.max(1, known.length - 1);
  const points = known.map(
    (value, at) => `${(at * step).toFixed(1)},${(height - 2 - (value / top) * (height - 4)).toFixed(1)}`,
  );
  const over = points.length > 2 ? points.slice(0, -1) : points;
  const overUntil = (over.length - 1) * step;
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={`block h-8 w-full overflow-visible ${className}`}
    >
      <polygon
        points={`0,${height} ${over.join(' ')} ${overUntil.toFixed(1)},${height}`}
        className="fill-accent-soft"
      />
      <polyline
        points={over.join(' ')}
        className={stroke}
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
      {over.length < points.length && (
        <polyline
          points={points.slice(-2).join(' ')}
          className={stroke}
          strokeWidth="1.5"
          strokeDasharray="2 3"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}

const stroke = 'fill-none stroke-series-1';
