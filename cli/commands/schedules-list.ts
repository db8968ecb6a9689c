import { applicationId } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import { schedulesOf } from '../core/schedule.ts';
import { ago } from '../core/text.ts';
import type { schedulesList } from '../descriptions/schedules.ts';

export const run: Run<typeof schedulesList> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const rows = await schedulesOf(client, await applicationId(context, options.app));
  const { green, red, yellow } = out.paint;
  out.result(rows, () => {
    if (rows.length === 0) return out.note('No function of a live deployment has a schedule.');
    out.table(rows, [
      { title: 'Function', value: ({ functionName }) => functionName },
      { title: 'Schedule', value: ({ schedule }) => schedule, isFixed: true },
      { title: 'Environment', value: ({ environment }) => environment },
      {
        title: 'Next (UTC)',
        value: ({ nextRunAt }) => nextRunAt?.slice(0, 16).replace('T', ' '),
        isFixed: true,
      },
      {
        title: 'Last',
        value: ({ lastRun }) => lastRun && `${lastRun.status} ${ago(lastRun.dueAt)}`,
        style: (text, { lastRun }) =>
          lastRun?.status === 'SUCCEEDED'
            ? green(text)
            : lastRun?.status === 'RUNNING'
              ? yellow(text)
              : red(text),
        isFixed: true,
      },
    ]);
  });
};
