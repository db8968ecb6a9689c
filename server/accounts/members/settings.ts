import { duration, integer } from '#core/settings.ts';

export const memberSettings = {
  invitationLifetime: duration({
    name: 'MAINSTAY_INVITATION_LIFETIME',
    meaning: 'How long an invitation to an organization can be accepted.',
    fallback: '7d',
    minSeconds: 60,
  }),
  invitationsPerOrganization: integer({
    name: 'MAINSTAY_INVITATIONS_PER_ORGANIZATION',
    meaning: 'Invitations that one organization may send by mail in an hour.',
    fallback: 100,
    min: 1,
    max: 1_000_000,
  }),
  invitationsPerSender: integer({
    name: 'MAINSTAY_INVITATIONS_PER_SENDER',
    meaning: 'Invitations that one person or API key may send by mail in an hour, whatever the organization.',
    fallback: 50,
    min: 1,
    max: 1_000_000,
  }),
};
