import { duration } from '#core/settings.ts';

export const scheduleSettings = {
  scheduleRunRetention: duration({
    name: 'MAINSTAY_SCHEDULE_RUN_RETENTION',
    meaning: 'How long it is kept what came of calls by schedule.',
    fallback: '30d',
    minSeconds: 3600,
  }),
};
