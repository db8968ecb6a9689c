import type { Option } from './describe.ts';

/** For commands about an organization. */
export const inOrganization = {
  org: { type: 'string', value: 'ORG', summary: 'The organization: its slug, name or id' },
} as const satisfies Record<string, Option>;

/** For commands about an application. */
export const inApplication = {
  app: {
    type: 'string',
    short: 'a',
    value: 'APP',
    summary: 'The application: its name or id; else the linked one',
  },
} as const satisfies Record<string, Option>;

/** For commands about one of its environments. */
export const inEnvironment = {
  env: { type: 'string', short: 'e', value: 'NAME', summary: 'The environment: its slug or id' },
} as const satisfies Record<string, Option>;

export const dryRun = {
  'dry-run': { type: 'boolean', summary: 'Show what would change without changing anything' },
} as const satisfies Record<string, Option>;
