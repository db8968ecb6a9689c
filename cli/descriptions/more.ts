import { dryRun, inApplication, inOrganization } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

const key = { key: { summary: 'The key' } };

export const cacheGet = describe({
  name: 'get',
  summary: 'Print a value of the cache',
  arguments: key,
  options: inApplication,
  examples: [['mainstay cache get greeting', 'To stdout']],
});
export const cacheSet = describe({
  name: 'set',
  summary: 'Set a value of the cache',
  arguments: { ...key, value: { summary: 'The value; - for stdin' } },
  options: {
    ...inApplication,
    ttl: { type: 'string', value: 'TIME', summary: 'Expires after 90s, 10m, 2h, 3d; default never' },
  },
  examples: [['mainstay cache set greeting hello --ttl 1h', 'For an hour']],
});
export const cacheDelete = describe({
  name: 'delete',
  aliases: ['del', 'rm'],
  summary: 'Delete a key or all keys with a prefix from the cache',
  arguments: key,
  options: { ...inApplication, prefix: { type: 'boolean', summary: 'Delete all keys with this prefix' } },
  examples: [
    ['mainstay cache del greeting', 'One key'],
    ['mainstay cache del --prefix session:', 'All that begin so'],
  ],
});
export const cacheList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the keys of the cache',
  options: {
    ...inApplication,
    prefix: { type: 'string', value: 'TEXT', summary: 'Only keys with this prefix' },
    limit: { type: 'number', short: 'n', value: 'COUNT', summary: 'Number of items; default 100' },
  },
  examples: [['mainstay cache list --prefix session:', 'Keys that begin so']],
});
export const cacheIncrement = describe({
  name: 'incr',
  summary: 'Increment a number in the cache',
  arguments: { ...key, by: { summary: 'Amount; default 1', optional: true } },
  options: inApplication,
  examples: [
    ['mainstay cache incr visits', 'By one'],
    ['mainstay cache incr visits 10', 'By ten'],
  ],
});

export const keysList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List API keys',
  options: {
    ...inOrganization,
    app: { type: 'string', short: 'a', value: 'APP', summary: 'Those of an application' },
  },
  examples: [['mainstay keys --app web', 'Of an application']],
});
export const keysCreate = describe({
  name: 'create',
  summary: 'Create an API key; its secret is shown once',
  arguments: { name: { summary: 'Name of the key' } },
  options: {
    ...inOrganization,
    app: {
      type: 'string',
      short: 'a',
      value: 'APP',
      summary: 'Create a key of this application',
    },
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      summary: 'Scope, repeatable; default: all read-only scopes',
    },
    expires: { type: 'string', value: 'TIME', summary: 'Expires in 30d, 12h, or never; default 90d' },
  },
  examples: [
    ['mainstay keys create ci --app web --scope network:deployments:write --expires 365d', 'For a pipeline'],
  ],
});
export const keysDelete = describe({
  name: 'delete',
  aliases: ['rm', 'revoke'],
  summary: 'Delete an API key and revoke its tokens',
  arguments: { id: { summary: 'Its id' } },
  options: dryRun,
  examples: [['mainstay keys delete 0192f0c1-2345-7abc-8def-0123456789ab', 'It asks first']],
});
export const keysRotate = describe({
  name: 'rotate',
  summary: 'Create a second secret for an API key; the old one keeps working',
  arguments: { id: { summary: 'Its id' } },
  examples: [['mainstay keys rotate 0192f0c1-2345-7abc-8def-0123456789ab', 'Prints the new secret once']],
});

export const membersList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the members of an organization',
  options: inOrganization,
  examples: [['mainstay members --org acme', 'With their roles']],
});
export const membersInvite = describe({
  name: 'invite',
  summary: 'Invite a member to an organization',
  arguments: { email: { summary: 'Their e-mail address' } },
  options: {
    ...inOrganization,
    role: { type: 'string', choices: ['OWNER', 'ADMIN', 'MEMBER'], summary: 'Role; default MEMBER' },
  },
  examples: [['mainstay members invite ann@example.com --role ADMIN', 'By e-mail']],
});
export const membersRole = describe({
  name: 'role',
  summary: 'Change the role of a member',
  arguments: {
    member: { summary: 'Their e-mail address, or the id of the membership' },
    role: { summary: 'The role', choices: ['OWNER', 'ADMIN', 'MEMBER'] },
  },
  options: inOrganization,
  examples: [['mainstay members role ann@example.com OWNER', 'From now on']],
});
export const membersRemove = describe({
  name: 'remove',
  aliases: ['rm'],
  summary: 'Remove a member from an organization',
  arguments: { member: { summary: 'Their e-mail address, or the id of the membership' } },
  options: {
    ...inOrganization,
    'keep-keys': { type: 'boolean', summary: 'Keep the API keys that they created' },
    ...dryRun,
  },
  examples: [['mainstay members remove ann@example.com --dry-run', 'Says what would end']],
});

const account = {
  ...inOrganization,
  app: {
    type: 'string',
    short: 'a',
    value: 'APP',
    summary: 'The application that pays; else the linked one',
  },
} as const;
export const aiModels = describe({
  name: 'models',
  aliases: ['list', 'ls'],
  summary: 'List available models',
  options: { ...account, query: { type: 'string', value: 'TEXT', summary: 'Filter by id' } },
  examples: [['mainstay ai models --query gpt', 'By name']],
});
export const aiChat = describe({
  name: 'chat',
  summary: 'Send a prompt to a model and stream the response',
  arguments: { prompt: { summary: 'Prompt; default: stdin', rest: true, optional: true } },
  options: {
    ...account,
    model: { type: 'string', short: 'm', value: 'MODEL', summary: 'The model (MAINSTAY_AI_MODEL)' },
    system: { type: 'string', value: 'TEXT', summary: 'System prompt' },
    'no-stream': { type: 'boolean', summary: 'Print the response when it is complete' },
  },
  examples: [
    ['git diff | mainstay ai chat -m openai/gpt-4o "Write a commit message"', 'Both stdin and a question'],
  ],
});
const period = {
  from: { type: 'string', value: 'TIME', summary: 'Start; default 30d ago' },
  to: { type: 'string', value: 'TIME', summary: 'End' },
} as const;
export const aiUsage = describe({
  name: 'usage',
  summary: 'Show AI usage and cost',
  options: { ...inOrganization, ...inApplication, ...period },
  examples: [['mainstay ai usage --from 7d', 'The last week']],
});
export const aiBudgets = describe({
  name: 'budgets',
  summary: 'List the budgets of an organization',
  options: inOrganization,
  examples: [['mainstay ai budgets', 'What is spent and what is left']],
});

export const whois = describe({
  name: 'whois',
  summary: 'Look up the registration of a domain',
  arguments: { domain: { summary: 'Such as example.com' } },
  options: {
    raw: { type: 'boolean', summary: 'Print the raw response of the registry' },
    available: { type: 'boolean', summary: 'Only check availability' },
  },
  examples: [
    ['mainstay whois example.com', 'Who registered it'],
    ['mainstay whois example.com --available', 'Whether it is free'],
  ],
});
export const reputation = describe({
  name: 'reputation',
  summary: 'Look up the reputation of domains and e-mail addresses',
  arguments: { names: { summary: 'Domains, or e-mail addresses', rest: true } },
  options: { explain: { type: 'boolean', summary: 'Show the threat feeds and rules that decided' } },
  examples: [['mainstay reputation example.com ann@example.net', 'Of a domain and of an address']],
});

export const audit = describe({
  name: 'audit',
  summary: 'Show the audit log of an organization, newest first',
  options: {
    ...inOrganization,
    limit: { type: 'number', short: 'n', value: 'COUNT', summary: 'Number of items; default 50' },
    action: { type: 'string', value: 'ACTION', summary: 'Such as api_key.created' },
    actor: { type: 'string', value: 'ID', summary: 'Filter by actor' },
    target: { type: 'string', value: 'ID', summary: 'Filter by target' },
    since: { type: 'string', value: 'TIME', summary: 'Start: a time, or 10m, 2h, 3d ago' },
    until: { type: 'string', value: 'TIME', summary: 'End' },
  },
  examples: [['mainstay audit --since 24h --action api_key.created', 'The keys of the last day']],
});

export const completion = describe({
  name: 'completion',
  summary: 'Print the completion of a shell',
  arguments: { shell: { summary: 'The shell', choices: ['bash', 'zsh', 'fish', 'powershell'] } },
  examples: [
    ['mainstay completion bash > ~/.local/share/bash-completion/completions/mainstay', 'bash'],
    ['mainstay completion zsh > $fpath[1]/_mainstay', 'zsh'],
    ['mainstay completion fish > ~/.config/fish/completions/mainstay.fish', 'fish'],
    ['mainstay completion powershell | Out-String | Invoke-Expression', 'PowerShell, in its profile'],
  ],
});
export const doctor = describe({
  name: 'doctor',
  summary: 'Check the setup of the command line',
  examples: [['mainstay doctor --json', 'For a bug report']],
});
export const complete = describe({
  name: '__complete',
  summary: 'Print completions',
  arguments: { words: { summary: 'The words so far', rest: true, optional: true } },
  passesOn: true,
});
