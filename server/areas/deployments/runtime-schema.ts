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
  q: text('Text in the line, whatever its case.'),
  ...range,
};

export const RuntimeFilterQuery = Type.Object(filterFields);
export type RuntimeFilterQuery = Static<typeof RuntimeFilterQuery>;

export const RuntimeLogQuery = Type.Object({
  ...filterFields,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Lines a page; 100 unless given.' }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'The `nextCursor` of the page before.' }),
  ),
});
export type RuntimeLogQuery = Static<typeof RuntimeLogQuery>;

export const RuntimeExportQuery = Type.Object({
  ...filterFields,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Lines at most; 1 000 000 unless given.' }),
  ),
});

export const RuntimeLogLine = Type.Object(
  {
    id: Id,
    deploymentId: Id,
    function: Nullable(Type.String(), { description: 'Name of the function that printed it.' }),
    level: OneOf(levels),
    message: Type.String({ description: 'Values of sensitive variables are masked.' }),
    createdAt: Time,
  },
  { title: 'RuntimeLogLine' },
);
export type RuntimeLogLine = Static<typeof RuntimeLogLine>;

export const RuntimeLogList = Type.Interface([ListOf(RuntimeLogLine)], {
  totalCapped: Type.Optional(
    Type.Boolean({ description: 'Sent as true when there are more than `total`; exact up to 10 000.' }),
  ),
});

export const MetricsQuery = Type.Object({
  function: text('Name of a function; of all of the deployment unless given.'),
  ...range,
  interval: Type.Optional(
    OneOf(['auto', '5m', '15m', '1h', '6h', '1d'], {
      description: 'Length of a step; chosen by the range unless given.',
    }),
  ),
});
export type MetricsQuery = Static<typeof MetricsQuery>;

const Count = Type.Integer();
const processes = {
  instances: Type.Number({ description: 'Processes that there were, frozen ones too, on average.' }),
  coldStarts: Count,
  prewarmedStarts: Type.Integer({ description: 'Starts in a process that waited for a function already.' }),
  wakes: Type.Integer({ description: 'Frozen processes that a request woke.' }),
  crashes: Type.Integer({ description: 'Processes that ended by themselves.' }),
  rejected: Type.Integer({ description: 'Requests that got no process in time and were answered by 503.' }),
  cpuMilliseconds: Count,
  memoryBytes: Nullable(Type.Integer(), { description: 'Of one process, on average.' }),
  memoryPeakBytes: Nullable(Type.Integer(), { description: 'The most that was seen of one process.' }),
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
        errors: Type.Number({ description: 'Answers of 5xx.' }),
        bytes: Type.Number(),
        ...processes,
      }),
      { description: 'In all of the range.' },
    ),
    functionsComplete: Type.Boolean({
      description: 'False: requests of functions are told of the newest part of a range that holds too much.',
    }),
  },
  { title: 'DeploymentMetrics' },
);
export type DeploymentMetrics = Static<typeof DeploymentMetrics>;
