import { dryRun, inApplication, inEnvironment, inOrganization } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

export const deploy = describe({
  name: 'deploy',
  summary: 'Deploy a folder',
  details:
    'Sends the sources, follows the build, and prints the address. By default the deployment is a preview. A folder\n' +
    'that is not linked becomes a new application. Files matched by .gitignore and .mainstayignore are not uploaded.',
  arguments: { folder: { summary: 'Project folder; default: the current folder', optional: true } },
  options: {
    ...inApplication,
    ...inOrganization,
    ...inEnvironment,
    prod: { type: 'boolean', summary: 'To production' },
    name: {
      type: 'string',
      value: 'NAME',
      summary: 'Name of a new application; default: the name of the folder',
    },
    prebuilt: {
      type: 'boolean',
      summary: 'Deploy build output: no build runs, and .gitignore is ignored',
    },
    'no-wait': { type: 'boolean', summary: 'Do not wait for the build to finish' },
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
    limit: { type: 'number', short: 'n', value: 'COUNT', summary: 'Number of items; default 20' },
    status: {
      type: 'string',
      choices: ['PENDING', 'QUEUED', 'STARTING', 'BUILDING', 'PROVISIONING', 'ACTIVE', 'FAILED'],
      summary: 'Only those',
    },
  },
  examples: [['mainstay deployments --status FAILED --limit 5', 'The last five that failed']],
});

const ofLines = {
  level: { type: 'string', value: 'LEVEL', summary: 'Runtime lines of error, warn, info or debug' },
  function: { type: 'string', value: 'NAME', summary: 'Runtime lines of this function' },
  since: { type: 'string', value: 'TIME', summary: 'Start: a time, or 10m, 2h, 3d ago' },
  until: { type: 'string', value: 'TIME', summary: 'End; does not follow' },
  search: { type: 'string', short: 's', value: 'TEXT', summary: 'Search for this text' },
} as const;

const which = { deployment: { summary: 'Deployment id or a prefix of it, or "latest"' } };

export const deploymentsInspect = describe({
  name: 'inspect',
  aliases: ['get'],
  summary: 'Show a deployment',
  arguments: which,
  options: inApplication,
  examples: [['mainstay deployments inspect latest', 'The newest']],
});

export const deploymentsLogs = describe({
  name: 'logs',
  summary: 'Show the build log or runtime logs of a deployment',
  arguments: which,
  options: {
    ...inApplication,
    follow: {
      type: 'boolean',
      short: 'f',
      summary: 'Until the build has ended; with --runtime until Ctrl-C',
    },
    runtime: { type: 'boolean', summary: 'Show runtime logs instead of the build log' },
    ...ofLines,
    limit: {
      type: 'number',
      short: 'n',
      value: 'COUNT',
      summary: 'Number of runtime lines; default 100',
    },
  },
  examples: [
    ['mainstay deployments logs latest --follow', 'The build that is under way'],
    ['mainstay deployments logs latest --runtime --level error --since 1h', 'The errors of the last hour'],
  ],
});

export const deploymentsPromote = describe({
  name: 'promote',
  summary: 'Promote a deployment to its environment’s hostnames',
  arguments: which,
  options: inApplication,
  examples: [['mainstay deployments promote 4f2a91c0', 'By the end of its id']],
});

export const deploymentsRollback = describe({
  name: 'rollback',
  summary: 'Roll back to an earlier deployment',
  details: 'Default: the deployment that was live before.',
  arguments: { deployment: { ...which.deployment, optional: true } },
  options: { ...inApplication, ...inEnvironment, ...dryRun },
  examples: [
    ['mainstay deployments rollback', 'To the previous one'],
    ['mainstay deployments rollback 4f2a91c0 --dry-run', 'Says what would go live'],
  ],
});

export const deploymentsCancel = describe({
  name: 'cancel',
  summary: 'Cancel a deployment',
  arguments: which,
  options: inApplication,
  examples: [['mainstay deployments cancel latest', 'Before it is built']],
});

export const deploymentsRedeploy = describe({
  name: 'redeploy',
  summary: 'Redeploy the same files with current variables',
  arguments: which,
  options: {
    ...inApplication,
    env: { ...inEnvironment.env, summary: 'To another environment: its slug or id' },
    prod: { type: 'boolean', summary: 'To production' },
    'no-wait': { type: 'boolean', summary: 'Do not wait for it to finish' },
  },
  examples: [['mainstay deployments redeploy latest --prod', 'Promote the newest preview to production']],
});

export const logs = describe({
  name: 'logs',
  summary: 'Stream requests and runtime logs of an application',
  details:
    'Of functions those of live deployments, or of the one that is named. Options of requests alone leave out what is printed,\n' +
    'and the other way round.',
  options: {
    ...inApplication,
    'no-follow': { type: 'boolean', summary: 'Print past entries and exit' },
    limit: {
      type: 'number',
      short: 'n',
      value: 'COUNT',
      summary: 'Number of past entries; default 20',
    },
    requests: { type: 'boolean', summary: 'Only requests' },
    runtime: { type: 'boolean', summary: 'Only runtime logs' },
    ...ofLines,
    status: { type: 'string', value: 'STATUS', summary: 'A status such as 404, or a family such as 5xx' },
    method: { type: 'string', value: 'METHOD', summary: 'GET, POST, ...' },
    path: { type: 'string', value: 'PREFIX', summary: 'Paths with this prefix' },
    host: { type: 'string', value: 'HOST', summary: 'Of this hostname' },
    deployment: { type: 'string', value: 'ID', summary: 'Of this deployment' },
  },
  examples: [
    ['mainstay logs', 'Follow'],
    ['mainstay logs --level error', 'Errors of functions'],
    ['mainstay logs --status 5xx --since 1h --no-follow', 'The errors of the last hour'],
    ["mainstay logs --json | jq 'select(.metrics.durationMs > 500)'", 'Slow ones'],
  ],
});

export const open = describe({
  name: 'open',
  summary: 'Open an application in the browser',
  options: {
    ...inApplication,
    dashboard: { type: 'boolean', summary: 'Open its page in the dashboard instead' },
    print: { type: 'boolean', summary: 'Print the URL without opening it' },
  },
  examples: [
    ['mainstay open', 'The linked application'],
    ['mainstay open --dashboard', 'Its page in the dashboard'],
  ],
});

export const domainsList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List hostnames and custom domains of an application',
  options: inApplication,
  examples: [['mainstay domains --app web', 'And the addresses of deployments']],
});

export const domainsAdd = describe({
  name: 'add',
  summary: 'Add a custom domain',
  arguments: { domain: { summary: 'Such as www.example.com' } },
  options: inApplication,
  examples: [['mainstay domains add www.example.com', 'Prints the DNS records that are needed']],
});

export const domainsCheck = describe({
  name: 'check',
  summary: 'Check the DNS records of a domain',
  arguments: { domain: { summary: 'The domain' } },
  options: inApplication,
  examples: [['mainstay domains check www.example.com', 'Once the DNS records are there']],
});

export const domainsRemove = describe({
  name: 'remove',
  aliases: ['rm'],
  summary: 'Remove a custom domain',
  arguments: { domain: { summary: 'The domain' } },
  options: { ...inApplication, ...dryRun },
  examples: [['mainstay domains remove www.example.com', 'It asks first']],
});

export const domainsLabel = describe({
  name: 'label',
  summary: 'Set the hostname label of an application',
  arguments: { label: { summary: 'Such as "shop" for shop.apps.example.com' } },
  options: inApplication,
  examples: [['mainstay domains label shop', 'shop.<domain of the instance>']],
});

export const init = describe({
  name: 'init',
  summary: 'Write a configuration file for this folder',
  details: 'Most projects need none: a framework, or a folder with an index.html, is recognised.',
  options: {
    format: { type: 'string', choices: ['yaml', 'ts', 'json'], summary: 'Format; default yaml' },
    force: { type: 'boolean', summary: 'Overwrite an existing file' },
  },
  examples: [['mainstay init --format ts', 'mainstay.ts, with types']],
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
    'no-key': { type: 'boolean', summary: 'Do not create an API key' },
  },
  passesOn: true,
  examples: [
    ['mainstay dev', 'npm run dev with the variables'],
    ['mainstay dev -- node --watch server.ts', 'Another command'],
  ],
});
