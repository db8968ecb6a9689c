import { dryRun, inApplication, inEnvironment } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

const where = { ...inApplication, ...inEnvironment };

export const envList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the variables of an application',
  details: 'With --env what that environment sees, the nearest scope winning.',
  options: {
    ...where,
    values: { type: 'boolean', summary: 'Show values of variables that are not sensitive' },
  },
  examples: [['mainstay env --env preview --values', 'What a preview gets']],
});

export const envSet = describe({
  name: 'set',
  summary: 'Set variables',
  details: 'The value of a name without a value is prompted for or read from stdin.',
  arguments: { variables: { summary: 'KEY=VALUE, or KEY', rest: true } },
  options: {
    ...where,
    sensitive: { type: 'boolean', short: 's', summary: 'Hide the value; only deployments can read it' },
  },
  examples: [
    ['mainstay env set LOG_LEVEL=debug --env preview', 'Of one environment'],
    ['mainstay env set DATABASE_URL --sensitive < url.txt', 'A secret, which no history keeps'],
  ],
});

export const envRemove = describe({
  name: 'remove',
  aliases: ['rm', 'unset'],
  summary: 'Delete variables',
  arguments: { keys: { summary: 'Their names', rest: true } },
  options: { ...where, ...dryRun },
  examples: [['mainstay env rm OLD_URL --env preview', 'Of one environment']],
});

export const envPull = describe({
  name: 'pull',
  summary: 'Write the variables to a file',
  arguments: { file: { summary: 'File; default .env.local; - for stdout', optional: true } },
  options: where,
  examples: [
    ['mainstay env pull', 'To .env.local'],
    ['mainstay env pull .env.preview --env preview', 'Of one environment, to another file'],
  ],
});

export const envPush = describe({
  name: 'push',
  summary: 'Set the variables of a file',
  arguments: { file: { summary: 'File; default .env.local; - for stdin', optional: true } },
  options: {
    ...where,
    sensitive: { type: 'boolean', short: 's', summary: 'Mark all of them as sensitive' },
    ...dryRun,
  },
  examples: [['mainstay env push .env.production --env production --dry-run', 'Says what would change']],
});

export const envDiff = describe({
  name: 'diff',
  summary: 'Compare two environments, or a file with one',
  arguments: {
    left: { summary: 'An environment, or a file' },
    right: { summary: 'An environment', optional: true },
  },
  options: { ...inApplication, all: { type: 'boolean', summary: 'Include equal variables' } },
  examples: [
    ['mainstay env diff preview production', 'Two environments'],
    ['mainstay env diff .env.local preview', 'Changes that a push would make'],
  ],
});

export const envRun = describe({
  name: 'run',
  summary: 'Run a command with the variables',
  arguments: { command: { summary: 'The command', rest: true } },
  options: where,
  passesOn: true,
  examples: [['mainstay env run --env preview -- node app.js', 'With those of an environment']],
});
