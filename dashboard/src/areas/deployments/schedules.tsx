import type { Schedule, ScheduleRun } from '@mainstay/sdk';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarClock, Play } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { api } from '#api/client.ts';
import { millisecondsText } from '#api/numbers.ts';
import { useApplication, useEnvironments } from '#areas/applications/data.ts';
import { scheduleRunsQuery, schedulesQuery } from '#areas/deployments/data.ts';
import { DeploymentTabs } from '#areas/deployments/deployment-tabs.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { IconButton } from '#ui/button.tsx';
import { CodeBlock, Mono } from '#ui/code-block.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { PagedTable, TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { toast } from '#ui/toast.ts';

const logsPath = '/o/$slug/apps/$applicationId/deployments/$deploymentId/logs' as const;
const rowId = ({ id }: { id: string }) => id;
const example = 'functions:\n  jobs/tidy.ts:\n    schedule: cron(0 3 * * ? *)';

export function Schedules() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const environments = useEnvironments();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(schedulesQuery(applicationId));
  const runs = useInfiniteQuery(scheduleRunsQuery(applicationId));
  const runNow = useRunNow(applicationId);
  const columns = useMemo(() => {
    const names = new Map(environments.map(({ id, name }) => [id, name]));
    const logsOf = ({ deploymentId, functionName }: Schedule | ScheduleRun) => (
      <Link
        to={logsPath}
        params={{ slug, applicationId, deploymentId }}
        search={{ function: functionName }}
        tabIndex={-1}
        className="truncate font-medium hover:underline"
      >
        <Mono>{functionName}</Mono>
      </Link>
    );
    return { schedules: scheduleColumns(names, logsOf, runNow), runs: runColumns(names, logsOf) };
  }, [environments, slug, applicationId, runNow]);
  const openLogs = ({ deploymentId, functionName }: Schedule | ScheduleRun) =>
    void navigate({
      to: logsPath,
      params: { slug, applicationId, deploymentId },
      search: { function: functionName },
    });
  const hasRuns = (runs.data?.pages[0]?.items.length ?? 0) > 0;
  return (
    <>
      <PageHeader
        title="Schedules"
        description="Scheduled functions of live deployments and their recent runs. Schedules are in UTC."
        call={{ method: 'GET', path: `/applications/${applicationId}/schedules` }}
      />
      <DeploymentTabs />
      {error ? (
        <TryAgain error={error} refetch={refetch} />
      ) : data?.items.length === 0 ? (
        <EmptyState icon={<CalendarClock />} title="No schedules">
          <p>
            Give a function a schedule in mainstay.yaml and deploy. The function of the live deployment is
            then called on schedule.
          </p>
          <div className="mt-5 text-left">
            <CodeBlock label="mainstay.yaml" code={example} />
          </div>
        </EmptyState>
      ) : (
        <DataTable
          label="Schedules"
          rows={data?.items}
          columns={columns.schedules}
          rowId={rowId}
          remember="schedules"
          onOpen={openLogs}
        />
      )}
      {hasRuns && (
        <section aria-labelledby="runs" className="mt-8">
          <h2 id="runs" className="mb-3 text-base font-semibold">
            Runs
          </h2>
          <PagedTable
            label="Runs"
            query={runs}
            columns={columns.runs}
            rowId={rowId}
            remember="schedule-runs"
            onOpen={openLogs}
          />
        </section>
      )}
    </>
  );
}

type Named = (row: Schedule | ScheduleRun) => ReactNode;

interface RunNow {
  isAllowed: boolean;
  /** The schedule whose call is being begun. */
  beginning: string | null;
  run(row: Schedule): Promise<void>;
}

function useRunNow(applicationId: string): RunNow {
  const can = useCan();
  const queries = useQueryClient();
  const [beginning, setBeginning] = useState<string | null>(null);
  const run = useCallback(
    async ({ id }: Schedule) => {
      setBeginning(id);
      try {
        await api.schedules.run(applicationId, id);
        toast.done('Run started');
      } catch (error) {
        toast.failed(error);
      } finally {
        await queries.invalidateQueries({ queryKey: ['schedules', applicationId] });
        setBeginning(null);
      }
    },
    [applicationId, queries],
  );
  const isAllowed = can('runSchedule');
  return useMemo(() => ({ isAllowed, beginning, run }), [isAllowed, beginning, run]);
}

function scheduleColumns(
  names: ReadonlyMap<string, string>,
  logsOf: Named,
  { isAllowed, beginning, run }: RunNow,
): Column<Schedule>[] {
  return [
    { ...functionColumn(logsOf), sortable: true },
    {
      id: 'schedule',
      header: 'Schedule',
      value: (row) => row.schedule,
      cell: (row) => <Mono>{row.schedule}</Mono>,
      width: '1.5fr',
      wide: true,
    },
    environmentColumn(names),
    {
      id: 'lastRun',
      header: 'Last run',
      value: (row) => row.lastRun?.dueAt ?? null,
      cell: ({ lastRun }) =>
        lastRun ? (
          <span className="inline-flex items-center gap-2">
            <StatusBadge status={lastRun.status} />
            <span className="text-muted max-md:hidden">
              <RelativeTime time={lastRun.startedAt ?? lastRun.dueAt} />
            </span>
          </span>
        ) : (
          <span className="text-muted">Not yet</span>
        ),
      sortable: true,
      width: '1.5fr',
    },
    {
      id: 'nextRun',
      header: 'Next run',
      value: (row) => row.nextRunAt,
      cell: (row) => (row.nextRunAt === null ? 'Never' : <RelativeTime time={row.nextRunAt} />),
      sortable: true,
    },
    ...(isAllowed
      ? [
          {
            id: 'actions',
            header: 'Actions',
            fixed: true,
            width: '3.5rem',
            align: 'end' as const,
            cell: (row: Schedule) => (
              <IconButton
                size="sm"
                label={`Run ${row.functionName} now`}
                icon={<Play aria-hidden />}
                disabled={row.running || beginning === row.id}
                onClick={() => void run(row)}
              />
            ),
          },
        ]
      : []),
  ];
}

function runColumns(names: ReadonlyMap<string, string>, logsOf: Named): Column<ScheduleRun>[] {
  return [
    functionColumn(logsOf),
    {
      id: 'status',
      header: 'Status',
      value: (row) => row.status,
      cell: (row) => <StatusBadge status={row.status} />,
    },
    environmentColumn(names),
    {
      id: 'due',
      header: 'Due',
      value: (row) => row.dueAt,
      cell: (row) => <RelativeTime time={row.dueAt} />,
    },
    {
      id: 'started',
      header: 'Started by',
      value: (row) => (row.manual ? 'A person' : 'Schedule'),
      cell: (row) => (row.manual ? 'A person' : 'Schedule'),
      wide: true,
    },
    {
      id: 'duration',
      header: 'Duration',
      value: durationText,
      cell: durationText,
      align: 'end',
      wide: true,
    },
    {
      id: 'answer',
      header: 'Answer',
      value: (row) => row.responseStatus,
      cell: (row) => row.responseStatus ?? '–',
      align: 'end',
      wide: true,
    },
    {
      id: 'error',
      header: 'Error',
      value: (row) => row.error,
      cell: (row) => <span title={row.error ?? ''}>{row.error ?? '–'}</span>,
      width: '2fr',
      wide: true,
    },
  ];
}

function functionColumn<Row extends Schedule | ScheduleRun>(logsOf: Named): Column<Row> {
  return {
    id: 'function',
    header: 'Function',
    value: (row) => row.functionName,
    cell: logsOf,
    fixed: true,
    width: '1.5fr',
  };
}

function environmentColumn<Row extends Schedule | ScheduleRun>(
  names: ReadonlyMap<string, string>,
): Column<Row> {
  const nameOf = ({ environmentId }: Row) => names.get(environmentId) ?? '';
  return { id: 'environment', header: 'Environment', value: nameOf, cell: nameOf, wide: true };
}

function durationText({ startedAt, finishedAt }: ScheduleRun): string {
  if (startedAt === null || finishedAt === null) return '–';
  return millisecondsText(Date.parse(finishedAt) - Date.parse(startedAt));
}
