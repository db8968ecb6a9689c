import { applicationId } from '../core/choose.ts';
import { pause } from '../core/pause.ts';
import type { Run } from '../core/run.ts';
import { findSchedule } from '../core/schedule.ts';
import type { schedulesRun } from '../descriptions/schedules.ts';

const lookMilliseconds = 1000;

export const run: Run<typeof schedulesRun> = async (
  context,
  { arguments: { schedule: wanted }, options },
) => {
  const { out } = context;
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const { id, functionName } = await findSchedule(client, app, wanted, options.env);
  const begun = await client.schedules.run(app, id);
  if (options['no-wait']) return out.result(begun, () => out.success(`${functionName} runs.`));
  out.note(`${functionName} runs ...`);
  for (;;) {
    await pause(lookMilliseconds, context.signal);
    let ended = begun;
    for await (const one of client.schedules.runs(app)) {
      if (one.id === begun.id) ended = one;
      if (one.id <= begun.id) break;
    }
    if (ended.status === 'RUNNING') continue;
    const isDone = ended.status === 'SUCCEEDED';
    out.result(ended, () =>
      isDone ? out.success(`It answered ${ended.responseStatus}.`) : out.note(ended.error ?? 'It failed.'),
    );
    return isDone ? 0 : 1;
  }
};
