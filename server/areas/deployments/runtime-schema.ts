import { type Static, Type } from 'typebox';
import { figures } from '#areas/request-logs/service.ts';
import { Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

const text = (description: string) => Type.Optional(Type.String({ maxLength: 2048, description }));
const range = {
  from: text('ISO 8601 time or date; inclusive.'),
  to: text('ISO 8601 time, or a date, which counts whole; inclusive.'),
};

export const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;

/** What a list, a stream and an export are narrowed down by. All of them must hold. */
const filterFields = {
  function: text('Name of a function. Several are separated by commas.'),
  level: text(
    'INFO (standard output), ERROR (standard error, and how processes ended), DEBUG or WARN. Several are separated by commas.',
  ),
  q: text('Text in the line, case-insensitive.'),
  ...range,
};

export const RuntimeFilterQuery = Type.Object(filterFields);
export type RuntimeFilterQuery = Static<typeof RuntimeFilterQuery>;

export const RuntimeLogQuery = Type.Object({
  ...filterFields,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Lines per page; default 100.' }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'The `nextCursor` of the previous page.' }),
  ),
});
export type RuntimeLogQuery = Static<typeof RuntimeLogQuery>;

export const RuntimeExportQuery = Type.Object({
  ...filterFields,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Maximum number of lines; default 1 000 000.',
    }),
  ),
});

export const RuntimeLogLine = Type.Object(
  {
    id: Id,
    deploymentId: Id,
    function: Nullable(Type.String(), { description: 'Name of the function that logged it.' }),
    level: OneOf(levels),
    message: Type.String({ description: 'Values of sensitive variables are masked.' }),
    createdAt: Time,
  },
  { title: 'RuntimeLogLine' },
);
export type RuntimeLogLine = Static<typeof RuntimeLogLine>;

export const RuntimeLogList = Type.Interface([ListOf(RuntimeLogLine)], {
  totalCapped: Type.Optional(
    Type.Boolean({ description: 'true if there are more than `total`, which is exact up to 10 000.' }),
  ),
});

export const MetricsQuery = Type.Object({
  function: text('Name of a function. Default: all functions of the deployment.'),
  ...range,
  interval: Type.Optional(
    OneOf(['auto', '5m', '15m', '1h', '6h', '1d'], {
      description: 'Length of an interval; by default chosen by the range.',
    }),
  ),
});
export type MetricsQuery = Static<typeof MetricsQuery>;

const Count = Type.Integer();
const processes = {
  instances: Type.Number({ description: 'Average number of processes, including frozen ones.' }),
  coldStarts: Count,
  prewarmedStarts: Type.Integer({ description: 'Starts that used a prewarmed process.' }),
  wakes: Type.Integer({ description: 'Frozen processes resumed by a request.' }),
  crashes: Type.Integer({ description: 'Processes that exited unexpectedly.' }),
  rejected: Type.Integer({
    description: 'Requests rejected with 503 because no process was available in time.',
  }),
  cpuMilliseconds: Count,
  memoryBytes: Nullable(Type.Integer(), { description: 'Average of one process.' }),
  memoryPeakBytes: Nullable(Type.Integer(), { description: 'Maximum of one process.' }),
};

export const DeploymentMetrics = Type.Object(
  {
    from: Time,
    to: Time,
    intervalSeconds: Count,
    total: Type.Object({ ...figures, ...processes }),
    series: Type.Array(Type.Object({ at: Time, ...figures, ...processes })),
    functions: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        requests: Type.Number(),
        errors: Type.Number({ description: 'Responses with 5xx.' }),
        bytes: Type.Number(),
        ...processes,
      }),
      { description: 'Totals of the whole range.' },
    ),
    functionsComplete: Type.Boolean({
      description:
        'If false, function requests cover only the newest part of the range because there are too many.',
    }),
  },
  { title: 'DeploymentMetrics' },
);
export type DeploymentMetrics = Static<typeof DeploymentMetrics>;
