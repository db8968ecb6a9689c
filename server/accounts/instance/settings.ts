import { flag, integer } from '#core/settings.ts';

/** Defaults of what operators may change while the server runs (`PATCH /admin/settings`). */
export const instanceSettings = {
  earlyAccess: flag({
    name: 'MAINSTAY_EARLY_ACCESS',
    meaning: 'Whether only users admitted from the waitlist can create organizations.',
    fallback: false,
  }),
  organizationQuota: integer({
    name: 'MAINSTAY_ORGANIZATION_QUOTA',
    meaning: 'How many organizations one user may own.',
    fallback: 10,
    min: 0,
    max: 1_000_000,
  }),
  organizationsPerMinute: integer({
    name: 'MAINSTAY_ORGANIZATIONS_PER_MINUTE',
    meaning: 'How many organizations one user may create in a minute.',
    fallback: 5,
    min: 1,
    max: 1_000_000,
  }),
  paymentRequired: flag({
    name: 'MAINSTAY_PAYMENT_REQUIRED',
    meaning:
      'Whether a user without a saved payment method may own only so many organizations (the next setting).',
    fallback: false,
  }),
  organizationsWithoutPayment: integer({
    name: 'MAINSTAY_ORGANIZATIONS_WITHOUT_PAYMENT',
    meaning:
      'The budget: organizations that a user without a saved payment method may own, when payment is required.',
    fallback: 1,
    min: 0,
    max: 1_000_000,
  }),
};
