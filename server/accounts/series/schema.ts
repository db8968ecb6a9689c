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
  from: { ...Time, description: 'Start of the first point.' },
  pointSeconds: Type.Integer({ description: 'Length of an interval.' }),
  counters: Type.Object(
    Object.fromEntries(counterNames.map((name) => [name, Points])) as Record<
      (typeof counterNames)[number],
      typeof Points
    >,
    { description: 'Sums per interval, oldest first. The last interval is incomplete.' },
  ),
  totals: Counts,
  previous: { ...Counts, description: 'Totals of the preceding period of the same length.' },
};

export const Usage = Type.Object(
  {
    ...usageFields,
    levels: Type.Object(
      Object.fromEntries(levelNames.map((name) => [name, Measured])) as Record<
        (typeof levelNames)[number],
        typeof Measured
      >,
      { description: 'Averages per interval; null if nothing was measured.' },
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
      { description: 'Averages per interval over all nodes; null if nothing was measured.' },
    ),
  },
  { title: 'InstanceUsage' },
);
