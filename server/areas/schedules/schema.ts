import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

const status = OneOf(['RUNNING', 'SUCCEEDED', 'FAILED', 'MISSED']);

const outcome = {
  id: Id,
  status,
  dueAt: Time,
  startedAt: Nullable(Time),
  finishedAt: Nullable(Time),
  responseStatus: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  manual: Type.Boolean({ description: 'Whether somebody asked for it, instead of the clock.' }),
};

export const ScheduleList = ListOf(
  Type.Object(
    {
      id: Id,
      environmentId: Id,
      deploymentId: Id,
      functionName: Type.String(),
      schedule: Type.String({ description: '`rate(...)` or `cron(...)`, in UTC.' }),
      running: Type.Boolean(),
      nextRunAt: Nullable(Time),
      lastRun: Nullable(Type.Object(outcome)),
    },
    { title: 'Schedule' },
  ),
);

export const RunsQuery = CursorQuery;

export const Run = Type.Object(
  {
    scheduleId: Id,
    environmentId: Id,
    deploymentId: Id,
    functionName: Type.String(),
    ...outcome,
  },
  { title: 'ScheduleRun' },
);
export const RunList = ListOf(Run);

export const SchedulePath = Type.Object({ applicationId: Id, scheduleId: Id });
