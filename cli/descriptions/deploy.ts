import { dryRun, inApplication, inEnvironment, inOrganization } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

export const deploy = describe({
  name: 'deploy',
  summary: 'Deploy a folder',
  details:
    'Sends the sources, follows the build, and prints the address. Without an option the deployment is a preview. A folder\n' +
    'that is not linked becomes a new application. What .gitignore and .mainstayignore name stays here.',
  arguments: { folder: { summary: 'The project; this folder where left out', optional: true } },
  options: {
    ...inApplication,
    ...inOrganization,
    ...inEnvironment,
    prod: { type: 'boolean', summary: 'To production' },
    name: { type: 'string', value: 'NAME', summary: 'What a new application is called; else as the folder' },
    prebuilt: {
      type: 'boolean',
      summary: 'Send what is built already: no build command runs, .gitignore does not count',
    },
    'no-wait': { type: 'boolean', summary: 'Do not wait for the end of the build' },
    ...dryRun,
  },
  examples: [
    ['mainstay deploy', 'A preview of this folder'],
    ['mainstay deploy --prod', 'To production'],
    ['mainstay deploy dist --prebuilt --env staging', 'A folder that is built, to an environment'],
    ['mainstay deploy --prod --json | jq -r "select(.url).url"', 'The address, in a script'],
  ],
});

export const deploymentsList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List deployments, newest first',
  options: {
    ...inApplication,
    limit: { type: 'number', short: 'n', value: 'COUNT', summary: 'So many; 20 unless given' },
    status: {
      type: 'string',
      choices: ['PENDING', 'QUEUED', 'STARTING', 'BUILDING', 'PROVISIONING', 'ACTIVE', 'FAILED'],
      summary: 'Only those',
    },
  },
});

const ofLines = {
  level: { type: 'string', value: 'LEVEL', summary: 'Runtime lines of error, warn, info or debug' },
  function: { type: 'string', value: 'NAME', summary: 'Runtime lines of this function' },
  since: { type: 'string', value: 'TIME', summary: 'From then on: a time, or 10m, 2h, 3d before now' },
  until: { type: 'string', value: 'TIME', summary: 'Up to then; does not follow' },
  search: { type: 'string', short: 's', value: 'TEXT', summary: 'With this text' },
} as const;

const which = { deployment: { summary: 'Its id, or the beginning of it; "latest" is the newest' } };

export const deploymentsInspect = describe({
  name: 'inspect',
  aliases: ['get'],
  summary: 'Show a deployment',
  arguments: which,
  options: inApplication,
});

export const deploymentsLogs = describe({
  name: 'logs',
  summary: 'Print the log of a build, or what its functions print',
  arguments: which,
  options: {
    ...inApplication,
    follow: {
      type: 'boolean',
      short: 'f',
      summary: 'Until the build has ended; with --runtime until Ctrl-C',
    },
    runtime: { type: 'boolean', summary: 'What its functions print, instead of its build' },
    ...ofLines,
    limit: {
      type: 'number',
      short: 'n',
      value: 'COUNT',
      summary: 'How many runtime lines; 100 unless given',
    },
  },
  examples: [
    ['mainstay deployments logs latest --follow', 'The build that is under way'],
    ['mainstay deployments logs latest --runtime --level error --since 1h', 'The errors of the last hour'],
  ],
});

export const deploymentsPromote = describe({
  name: 'promote',
  summary: 'Make the hostnames of its environment lead to a deployment',
  arguments: which,
  options: inApplication,
});

export const deploymentsRollback = describe({
  name: 'rollback',
  summary: 'Make an earlier deployment the live one again',
  details: 'Without one it is the one that was live before.',
  arguments: { deployment: { ...which.deployment, optional: true } },
  options: { ...inApplication, ...inEnvironment, ...dryRun },
});

export const deploymentsCancel = describe({
  name: 'cancel',
  summary: 'End a deployment that is not active yet',
  arguments: which,
  options: inApplication,
});

export const deploymentsRedeploy = describe({
  name: 'redeploy',
  summary: 'Deploy the same files with the variables of today',
  arguments: which,
  options: { ...inApplication, 'no-wait': { type: 'boolean', summary: 'Do not wait for its end' } },
});

export const logs = describe({
  name: 'logs',
  summary: 'Follow the requests of an application, and what its functions print',
  details:
    'Of functions those of live deployments, or of the one that is named. Options of requests alone leave out what is printed,\n' +
    'and the other way round.',
  options: {
    ...inApplication,
    'no-follow': { type: 'boolean', summary: 'Print those that were, and stop' },
    limit: {
      type: 'number',
      short: 'n',
      value: 'COUNT',
      summary: 'How many of those that were; 20 unless given',
    },
    requests: { type: 'boolean', summary: 'Requests alone' },
    runtime: { type: 'boolean', summary: 'What functions print alone' },
    ...ofLines,
    status: { type: 'string', value: 'STATUS', summary: 'A status such as 404, or a family such as 5xx' },
    method: { type: 'string', value: 'METHOD', summary: 'GET, POST, ...' },
    path: { type: 'string', value: 'PREFIX', summary: 'Paths that begin so' },
    host: { type: 'string', value: 'HOST', summary: 'Of this hostname' },
    deployment: { type: 'string', value: 'ID', summary: 'Of this deployment' },
  },
  examples: [
    ['mainstay logs', 'Follow'],
    ['mainstay logs --level error', 'What functions print to standard error'],
    ['mainstay logs --status 5xx --since 1h --no-follow', 'The errors of the last hour'],
    ["mainstay logs --json | jq 'select(.metrics.durationMs > 500)'", 'Slow ones'],
  ],
});

export const open = describe({
  name: 'open',
  summary: 'Open an application in the browser',
  options: {
    ...inApplication,
    dashboard: { type: 'boolean', summary: 'Its page in the dashboard instead' },
    print: { type: 'boolean', summary: 'Print the address, open nothing' },
  },
});

export const domainsList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the hostnames of an application, and the domains of your own',
  options: inApplication,
});

export const domainsAdd = describe({
  name: 'add',
  summary: 'Add a domain of your own',
  arguments: { domain: { summary: 'Such as www.example.com' } },
  options: inApplication,
});

export const domainsCheck = describe({
  name: 'check',
  summary: 'Look up the records of a domain now',
  arguments: { domain: { summary: 'The domain' } },
  options: inApplication,
});

export const domainsRemove = describe({
  name: 'remove',
  aliases: ['rm'],
  summary: 'Remove a domain of your own',
  arguments: { domain: { summary: 'The domain' } },
  options: { ...inApplication, ...dryRun },
});

export const domainsLabel = describe({
  name: 'label',
  summary: 'Choose the name of an application in its hostname',
  arguments: { label: { summary: 'Such as "shop" for shop.apps.example.com' } },
  options: inApplication,
});

export const init = describe({
  name: 'init',
  summary: 'Write a configuration file for this folder',
  details: 'Most projects need none: a framework, or a folder with an index.html, is recognised.',
  options: {
    format: { type: 'string', choices: ['yaml', 'ts', 'json'], summary: 'yaml unless given' },
    force: { type: 'boolean', summary: 'Also where there is one' },
  },
});

export const dev = describe({
  name: 'dev',
  summary: 'Run the dev command of this project with its variables',
  details:
    'Sets the variables of the environment, and an API key of the application that ends with the command, so that code here\n' +
    'calls the platform as it does when it is deployed. Without a command it is the "dev" script of package.json.',
  arguments: { command: { summary: 'Another command', rest: true, optional: true } },
  options: {
    ...inApplication,
    ...inEnvironment,
    'no-key': { type: 'boolean', summary: 'Make no API key' },
  },
  passesOn: true,
  examples: [
    ['mainstay dev', 'npm run dev with the variables'],
    ['mainstay dev -- node --watch server.ts', 'Another command'],
  ],
});
