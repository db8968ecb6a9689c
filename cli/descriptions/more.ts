import { dryRun, inApplication, inOrganization } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

const key = { key: { summary: 'The key' } };

export const cacheGet = describe({
  name: 'get',
  summary: 'Print a value of the cache',
  arguments: key,
  options: inApplication,
});
export const cacheSet = describe({
  name: 'set',
  summary: 'Set a value of the cache',
  arguments: { ...key, value: { summary: 'The value; - for stdin' } },
  options: {
    ...inApplication,
    ttl: { type: 'string', value: 'TIME', summary: 'It leaves after 90s, 10m, 2h, 3d; never unless given' },
  },
});
export const cacheDelete = describe({
  name: 'delete',
  aliases: ['del', 'rm'],
  summary: 'Delete a key of the cache, or all that begin so',
  arguments: key,
  options: { ...inApplication, prefix: { type: 'boolean', summary: 'All keys that begin so' } },
});
export const cacheList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the keys of the cache',
  options: {
    ...inApplication,
    prefix: { type: 'string', value: 'TEXT', summary: 'Only those that begin so' },
    limit: { type: 'number', short: 'n', value: 'COUNT', summary: 'So many; 100 unless given' },
  },
});
export const cacheIncrement = describe({
  name: 'incr',
  summary: 'Add to a number in the cache',
  arguments: { ...key, by: { summary: 'How much; 1 unless given', optional: true } },
  options: inApplication,
});

export const keysList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List API keys',
  options: {
    ...inOrganization,
    app: { type: 'string', short: 'a', value: 'APP', summary: 'Those of an application' },
  },
});
export const keysCreate = describe({
  name: 'create',
  summary: 'Create an API key; its secret is shown once',
  arguments: { name: { summary: 'What it is for' } },
  options: {
    ...inOrganization,
    app: {
      type: 'string',
      short: 'a',
      value: 'APP',
      summary: 'A key of this application, which code of it uses',
    },
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      summary: 'What it may do, repeated; those that only read unless given',
    },
    expires: { type: 'string', value: 'TIME', summary: 'In 30d, 12h, or never; 90 days unless given' },
  },
  examples: [
    ['mainstay keys create ci --app web --scope network:deployments:write --expires 365d', 'For a pipeline'],
  ],
});
export const keysDelete = describe({
  name: 'delete',
  aliases: ['rm', 'revoke'],
  summary: 'Delete an API key, and end all its tokens',
  arguments: { id: { summary: 'Its id' } },
  options: dryRun,
});
export const keysRotate = describe({
  name: 'rotate',
  summary: 'Create a second secret for an API key; the old one goes on working',
  arguments: { id: { summary: 'Its id' } },
});

export const membersList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the members of an organization',
  options: inOrganization,
});
export const membersInvite = describe({
  name: 'invite',
  summary: 'Invite somebody to an organization',
  arguments: { email: { summary: 'Their e-mail address' } },
  options: {
    ...inOrganization,
    role: { type: 'string', choices: ['OWNER', 'ADMIN', 'MEMBER'], summary: 'MEMBER unless given' },
  },
});
export const membersRole = describe({
  name: 'role',
  summary: 'Change the role of a member',
  arguments: {
    member: { summary: 'Their e-mail address, or the id of the membership' },
    role: { summary: 'The role', choices: ['OWNER', 'ADMIN', 'MEMBER'] },
  },
  options: inOrganization,
});
export const membersRemove = describe({
  name: 'remove',
  aliases: ['rm'],
  summary: 'Remove a member from an organization',
  arguments: { member: { summary: 'Their e-mail address, or the id of the membership' } },
  options: {
    ...inOrganization,
    'keep-keys': { type: 'boolean', summary: 'Keep the API keys that they have made' },
    ...dryRun,
  },
});

export const aiModels = describe({
  name: 'models',
  aliases: ['list', 'ls'],
  summary: 'List the models that you may use',
  options: { query: { type: 'string', value: 'TEXT', summary: 'Only those whose id has it' } },
});
export const aiChat = describe({
  name: 'chat',
  summary: 'Ask a model; the answer is printed as it is written',
  arguments: { prompt: { summary: 'The question; stdin where left out', rest: true, optional: true } },
  options: {
    model: { type: 'string', short: 'm', value: 'MODEL', summary: 'The model (MAINSTAY_AI_MODEL)' },
    system: { type: 'string', value: 'TEXT', summary: 'What the model is told first' },
    'no-stream': { type: 'boolean', summary: 'Print the answer when it is complete' },
  },
  examples: [
    ['git diff | mainstay ai chat -m openai/gpt-4o "Write a commit message"', 'Both stdin and a question'],
  ],
});
const period = {
  from: { type: 'string', value: 'TIME', summary: 'From then on: 30d before now unless given' },
  to: { type: 'string', value: 'TIME', summary: 'Up to then' },
} as const;
export const aiUsage = describe({
  name: 'usage',
  summary: 'Show what models were used for, and what they cost',
  options: { ...inOrganization, ...inApplication, ...period },
});
export const aiBudgets = describe({
  name: 'budgets',
  summary: 'List the budgets of an organization',
  options: inOrganization,
});

export const whois = describe({
  name: 'whois',
  summary: 'Look up who registered a domain',
  arguments: { domain: { summary: 'Such as example.com' } },
  options: {
    raw: { type: 'boolean', summary: 'As the registry wrote it' },
    available: { type: 'boolean', summary: 'Only whether it can be registered' },
  },
});
export const reputation = describe({
  name: 'reputation',
  summary: 'Look up the reputation of domains and e-mail addresses',
  arguments: { names: { summary: 'Domains, or e-mail addresses', rest: true } },
  options: { explain: { type: 'boolean', summary: 'Which lists and rules made it' } },
});

export const audit = describe({
  name: 'audit',
  summary: 'Show the audit log of an organization, newest first',
  options: {
    ...inOrganization,
    limit: { type: 'number', short: 'n', value: 'COUNT', summary: 'So many; 50 unless given' },
    action: { type: 'string', value: 'ACTION', summary: 'Such as api_key.created' },
    actor: { type: 'string', value: 'ID', summary: 'What this actor did' },
    target: { type: 'string', value: 'ID', summary: 'What was done to this' },
    since: { type: 'string', value: 'TIME', summary: 'From then on: a time, or 10m, 2h, 3d before now' },
    until: { type: 'string', value: 'TIME', summary: 'Up to then' },
  },
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
  summary: 'Test what the command line needs, and say what is amiss',
});
export const complete = describe({
  name: '__complete',
  summary: 'Print what can stand next',
  arguments: { words: { summary: 'What was typed', rest: true, optional: true } },
  passesOn: true,
});
