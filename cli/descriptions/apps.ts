import { inApplication, inOrganization } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

export const appsList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the applications that you can see',
  options: {
    ...inOrganization,
    query: { type: 'string', value: 'TEXT', summary: 'Only those whose name has it' },
  },
});

export const appsCreate = describe({
  name: 'create',
  summary: 'Create an application',
  arguments: { name: { summary: 'What it is called' } },
  options: {
    ...inOrganization,
    slug: { type: 'string', value: 'SLUG', summary: 'Its name in addresses; else made from its name' },
    root: {
      type: 'string',
      value: 'FOLDER',
      summary: 'The folder of a repository that holds it, such as apps/web',
    },
    link: { type: 'boolean', summary: 'Link this folder to it' },
  },
  examples: [
    ['mainstay apps create web --org acme --link', 'Create one, and deploy this folder to it from now on'],
  ],
});

export const appsOpen = describe({
  name: 'open',
  summary: 'Open an application in the dashboard',
  options: { ...inApplication, print: { type: 'boolean', summary: 'Print the address, open nothing' } },
});

export const appsDelete = describe({
  name: 'delete',
  aliases: ['rm'],
  summary: 'Delete an application; it can be restored for some time',
  arguments: { app: { summary: 'Its name or id' } },
  options: { 'dry-run': { type: 'boolean', summary: 'Say what would be deleted, delete nothing' } },
});

export const link = describe({
  name: 'link',
  summary: 'Link this folder to an application',
  options: {
    ...inApplication,
    ...inOrganization,
    create: { type: 'boolean', summary: 'Create the application where there is none of that name' },
  },
  examples: [
    ['mainstay link', 'Choose from a list'],
    ['mainstay link --app web --create', 'For scripts'],
  ],
});

export const unlink = describe({ name: 'unlink', summary: 'Remove the link of this folder' });
