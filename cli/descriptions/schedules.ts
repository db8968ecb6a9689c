import { inApplication, inEnvironment } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

export const schedulesList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the schedules of live deployments',
  options: inApplication,
  examples: [['mainstay schedules --app web', 'With their last and next runs']],
});

export const schedulesRun = describe({
  name: 'run',
  summary: 'Call the function of a schedule now',
  details: 'Waits for what comes of it; ends with 1 where it failed.',
  arguments: { schedule: { summary: 'Its function, such as jobs/tidy.ts, or its id' } },
  options: {
    ...inApplication,
    ...inEnvironment,
    'no-wait': { type: 'boolean', summary: 'Do not wait for its end' },
  },
  examples: [['mainstay schedules run jobs/tidy.ts', 'Now, on the live deployment']],
});
