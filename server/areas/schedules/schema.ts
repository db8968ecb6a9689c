import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

const status = OneOf(['RUNNING', 'SUCCEEDED', 'FAILED', 'MISSED']);

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
      lastRun: Nullable(
        Type.Object({
          ...{ id: Id, status, dueAt: Time, startedAt: Nullable(Time), finishedAt: Nullable(Time) },
          ...{ responseStatus: Nullable(Type.Integer()), error: Nullable(Type.String()) },
        }),
      ),
    },
    { title: 'Schedule' },
  ),
);

export const RunsQuery = CursorQuery;

export const RunList = ListOf(
  Type.Object(
    {
      id: Id,
      scheduleId: Id,
      environmentId: Id,
      deploymentId: Id,
      functionName: Type.String(),
      status,
      dueAt: Time,
      startedAt: Nullable(Time),
      finishedAt: Nullable(Time),
      responseStatus: Nullable(Type.Integer()),
      error: Nullable(Type.String()),
    },
    { title: 'ScheduleRun' },
  ),
);
