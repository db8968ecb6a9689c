import { duration } from '#core/settings.ts';

export const memberSettings = {
  invitationLifetime: duration({
    name: 'MAINSTAY_INVITATION_LIFETIME',
    meaning: 'How long an invitation to an organization can be accepted.',
    fallback: '7d',
    minSeconds: 60,
  }),
};
