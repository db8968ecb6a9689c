import { Type } from 'typebox';
import { counterNames, gaugeNames, levelNames } from '#core/series.ts';
import { Nullable, OneOf, Time } from '#http/schema.ts';
import { type Range, ranges } from './service.ts';

const RangeName = OneOf(Object.keys(ranges) as Range[]);

export const UsageQuery = Type.Object({
  range: Type.Unsafe<Range>({ ...RangeName, default: '24h', description: 'Up to now.' }),
});

const Counts = Type.Object(
  Object.fromEntries(counterNames.map((name) => [name, Type.Number()])) as Record<
    (typeof counterNames)[number],
    ReturnType<typeof Type.Number>
  >,
);
const Points = Type.Array(Type.Number());
const Measured = Type.Array(Nullable(Type.Number()));

const usageFields = {
  range: RangeName,
  from: { ...Time, description: 'When the first point begins.' },
  pointSeconds: Type.Integer({ description: 'What a point spans.' }),
  counters: Type.Object(
    Object.fromEntries(counterNames.map((name) => [name, Points])) as Record<
      (typeof counterNames)[number],
      typeof Points
    >,
    { description: 'Sums a point, oldest first. The last point is not over yet.' },
  ),
  totals: Counts,
  previous: { ...Counts, description: 'Totals of as long a time before.' },
};

export const Usage = Type.Object(
  {
    ...usageFields,
    levels: Type.Object(
      Object.fromEntries(levelNames.map((name) => [name, Measured])) as Record<
        (typeof levelNames)[number],
        typeof Measured
      >,
      { description: 'Averages a point; null where nothing was measured.' },
    ),
  },
  { title: 'Usage' },
);

export const InstanceUsage = Type.Object(
  {
    ...usageFields,
    gauges: Type.Object(
      Object.fromEntries(gaugeNames.map((name) => [name, Measured])) as Record<
        (typeof gaugeNames)[number],
        typeof Measured
      >,
      { description: 'Averages a point over all nodes; null where nothing was measured.' },
    ),
  },
  { title: 'InstanceUsage' },
);
