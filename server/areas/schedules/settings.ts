import { duration } from '#core/settings.ts';

export const scheduleSettings = {
  scheduleRunRetention: duration({
    name: 'MAINSTAY_SCHEDULE_RUN_RETENTION',
    meaning: 'How long schedule runs are kept.',
    fallback: '30d',
    minSeconds: 3600,
  }),
};
