import { inApplication, inOrganization } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

export const appsList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the applications that you can see',
  options: {
    ...inOrganization,
    query: { type: 'string', value: 'TEXT', summary: 'Filter by name' },
  },
  examples: [['mainstay apps --org acme --query shop', 'Of one organization, by name']],
});

export const appsCreate = describe({
  name: 'create',
  summary: 'Create an application',
  arguments: { name: { summary: 'Name of the organization' } },
  options: {
    ...inOrganization,
    slug: { type: 'string', value: 'SLUG', summary: 'Slug; by default derived from the name' },
    root: {
      type: 'string',
      value: 'FOLDER',
      summary: 'Folder of the application in the repository, such as apps/web',
    },
    link: { type: 'boolean', summary: 'Link this folder to the application' },
  },
  examples: [
    ['mainstay apps create web --org acme --link', 'Create one, and deploy this folder to it from now on'],
  ],
});

export const appsOpen = describe({
  name: 'open',
  summary: 'Open an application in the dashboard',
  options: { ...inApplication, print: { type: 'boolean', summary: 'Print the URL without opening it' } },
  examples: [
    ['mainstay apps open --app web', 'In the browser'],
    ['mainstay apps open --print', 'Its address alone'],
  ],
});

export const appsDelete = describe({
  name: 'delete',
  aliases: ['rm'],
  summary: 'Delete an application; it can be restored for a limited time',
  arguments: { app: { summary: 'Its name or id' } },
  options: {
    'dry-run': { type: 'boolean', summary: 'Show what would be deleted without deleting anything' },
  },
  examples: [['mainstay apps delete old --dry-run', 'Says what would be deleted']],
});

export const link = describe({
  name: 'link',
  summary: 'Link this folder to an application',
  options: {
    ...inApplication,
    ...inOrganization,
    create: { type: 'boolean', summary: 'Create the application if it does not exist' },
  },
  examples: [
    ['mainstay link', 'Choose from a list'],
    ['mainstay link --app web --create', 'For scripts'],
  ],
});

export const unlink = describe({
  name: 'unlink',
  summary: 'Remove the link of this folder',
  examples: [['mainstay unlink', 'The application itself stays']],
});
