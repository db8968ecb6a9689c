import { describe, type Given } from './describe.ts';

/** What every command takes. */
export const globals = describe({
  name: 'mainstay',
  summary: 'The command line of Mainstay',
  options: {
    help: { type: 'boolean', short: 'h', summary: 'Show help for a command' },
    json: { type: 'boolean', summary: 'Print JSON; streams print one object per line' },
    profile: { type: 'string', value: 'NAME', summary: 'Use this profile (MAINSTAY_PROFILE)' },
    token: {
      type: 'string',
      value: 'TOKEN',
      summary: 'Use this access token, or an API key as ID:SECRET (MAINSTAY_TOKEN)',
    },
    url: { type: 'string', value: 'URL', summary: 'The address of the instance (MAINSTAY_API_BASE_URL)' },
    yes: { type: 'boolean', short: 'y', summary: 'Skip confirmation prompts' },
    quiet: { type: 'boolean', short: 'q', summary: 'Print results and errors only' },
    'no-color': { type: 'boolean', summary: 'Print without colours (NO_COLOR)' },
  },
});

export type Globals = Given<typeof globals>['options'];
