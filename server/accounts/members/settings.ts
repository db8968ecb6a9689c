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
    meaning: 'Invitation e-mails that one organization can send per hour.',
    fallback: 100,
    min: 1,
    max: 1_000_000,
  }),
  invitationsPerSender: integer({
    name: 'MAINSTAY_INVITATIONS_PER_SENDER',
    meaning: 'Invitation e-mails that one user or API key can send per hour, across organizations.',
    fallback: 50,
    min: 1,
    max: 1_000_000,
  }),
};
