import { duration, integer, list } from '#core/settings.ts';

export const applicationSettings = {
  applicationQuota: integer({
    name: 'MAINSTAY_APPLICATIONS_PER_ORGANIZATION',
    meaning: 'How many applications an organization may have.',
    fallback: 200,
    min: 1,
    max: 1_000_000,
  }),
  applicationsPerMinute: integer({
    name: 'MAINSTAY_APPLICATIONS_PER_MINUTE',
    meaning: 'How many applications may be created in an organization within a minute.',
    fallback: 60,
    min: 1,
    max: 100_000,
  }),
  applicationGrace: duration({
    name: 'MAINSTAY_APPLICATION_GRACE',
    meaning: 'How long a deleted application can be restored before it is gone with everything that it owns.',
    fallback: '30d',
  }),
  environmentQuota: integer({
    name: 'MAINSTAY_ENVIRONMENTS_PER_APPLICATION',
    meaning: 'How many environments an application may have.',
    fallback: 50,
    min: 2,
    max: 1000,
  }),
  reservedLabels: list({
    name: 'MAINSTAY_RESERVED_LABELS',
    meaning:
      'Labels that no application may have as its hostname, besides those that are reserved anyway. What looks like one ' +
      'of six letters or more is refused too.',
    accepts: (label) => /^[a-z0-9]+(-[a-z0-9]+)*$/i.test(label),
    expected: 'labels separated by commas',
  }),
};
