import { integer, size } from '#core/settings.ts';

export const envVarSettings = {
  envVarLimit: integer({
    name: 'MAINSTAY_ENV_VARS_PER_ORGANIZATION',
    meaning:
      'How many variables an organization may have, and each of its applications with its environments.',
    fallback: 1000,
    min: 1,
    max: 1_000_000,
  }),
  envVarBytes: size({
    name: 'MAINSTAY_ENV_VARS_SIZE',
    meaning: 'How large all values of an organization, or of an application, may be together.',
    fallback: '1MiB',
    minBytes: 64 * 1024,
    maxBytes: 64 * 1024 * 1024,
  }),
  envVarVersions: integer({
    name: 'MAINSTAY_ENV_VAR_VERSIONS',
    meaning: 'How many versions of each variable are kept; older ones are forgotten.',
    fallback: 100,
    min: 1,
    max: 100_000,
  }),
};
