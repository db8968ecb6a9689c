import { describe } from '../core/describe.ts';

export const login = describe({
  name: 'login',
  summary: 'Sign in to an instance',
  details:
    'Shows a code that you approve in a browser, on this computer or on another one. In CI, set MAINSTAY_API_BASE_URL and\n' +
    'MAINSTAY_CLIENT_ID and MAINSTAY_CLIENT_SECRET (an API key) instead; then no sign-in is needed.',
  arguments: {
    address: { summary: 'The address of the instance, such as https://mainstay.example.com', optional: true },
  },
  options: {
    key: {
      type: 'string',
      value: 'ID',
      summary: 'Sign in with this API key; its secret is prompted for or read from stdin',
    },
    'no-browser': { type: 'boolean', summary: 'Do not open the browser' },
  },
  examples: [
    ['mainstay login https://mainstay.example.com', 'Sign in with the browser'],
    ['mainstay login --token "$ID:$SECRET" http://localhost:4000', 'Keep an API key'],
    ['mainstay login --profile staging https://staging.example.com', 'A second instance'],
  ],
});

export const logout = describe({
  name: 'logout',
  summary: 'Sign out and revoke the access of this device',
  options: { all: { type: 'boolean', summary: 'Sign out of every profile' } },
  examples: [
    ['mainstay logout', 'The current profile'],
    ['mainstay logout --all', 'Every instance'],
  ],
});

export const whoami = describe({
  name: 'whoami',
  summary: 'Show the signed-in user and instance',
  examples: [['mainstay whoami --json', 'For scripts']],
});

export const profilesList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the instances that you are signed in to',
  examples: [['mainstay profiles', 'The current one has a star']],
});

export const profilesUse = describe({
  name: 'use',
  summary: 'Switch to a profile',
  arguments: { name: { summary: 'Name of the profile' } },
  examples: [['mainstay profiles use staging', 'From now on, where no folder says otherwise']],
});

export const orgsList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List your organizations',
  examples: [['mainstay orgs', 'With their slugs']],
});

export const orgsCreate = describe({
  name: 'create',
  summary: 'Create an organization',
  arguments: { name: { summary: 'Name of the organization' } },
  options: {
    slug: { type: 'string', value: 'SLUG', summary: 'Slug; by default derived from the name' },
  },
  examples: [["mainstay orgs create 'Acme Inc' --slug acme", 'With a slug of your own']],
});

export const orgsUse = describe({
  name: 'use',
  summary: 'Set the default organization',
  arguments: { org: { summary: 'Its slug, name or id' } },
  examples: [['mainstay orgs use acme', 'For commands that name no organization']],
});
