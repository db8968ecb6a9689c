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
    values: { type: 'boolean', summary: 'Show the values of those that are not sensitive' },
  },
});

export const envSet = describe({
  name: 'set',
  summary: 'Set variables',
  details: 'A name without a value is asked for, or read from stdin.',
  arguments: { variables: { summary: 'KEY=VALUE, or KEY', rest: true } },
  options: {
    ...where,
    sensitive: { type: 'boolean', short: 's', summary: 'Nobody can read it again; deployments get it' },
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
});

export const envPull = describe({
  name: 'pull',
  summary: 'Write the variables to a file',
  arguments: { file: { summary: '.env.local unless given; - for stdout', optional: true } },
  options: where,
});

export const envPush = describe({
  name: 'push',
  summary: 'Set the variables of a file',
  arguments: { file: { summary: '.env.local unless given; - for stdin', optional: true } },
  options: {
    ...where,
    sensitive: { type: 'boolean', short: 's', summary: 'All of them are sensitive' },
    ...dryRun,
  },
});

export const envDiff = describe({
  name: 'diff',
  summary: 'Compare two environments, or a file with one',
  arguments: {
    left: { summary: 'An environment, or a file' },
    right: { summary: 'An environment', optional: true },
  },
  options: { ...inApplication, all: { type: 'boolean', summary: 'Also what is the same' } },
  examples: [
    ['mainstay env diff preview production', 'Two environments'],
    ['mainstay env diff .env.local preview', 'What a push would change'],
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
