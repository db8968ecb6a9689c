import type { Scope } from '#core/scopes.ts';

/** What people are told that a scope allows: on the page that asks them, and where they choose. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  openid: 'Verify your identity',
  'platform:organizations:read': 'View organizations, members and products',
  'platform:organizations:write': 'Create and change organizations',
  'platform:api_keys:read': 'View API keys (never their secrets)',
  'platform:api_keys:write': 'Create API keys',
  'platform:api_keys:delete': 'Revoke API keys',
  'platform:admin:read': 'View everything on this instance',
  'platform:admin:write': 'Administer this instance',
  'network:applications:read': 'View applications',
  'network:applications:write': 'Create and change applications',
  'network:env_vars:read': 'Read environment variables (sensitive values stay hidden)',
  'network:env_vars:write': 'Create and change environment variables',
  'network:env_vars:delete': 'Delete environment variables',
  'network:deployments:read': 'View deployments and their logs',
  'network:deployments:write': 'Create and change deployments',
  'network:deployments:trigger': 'Promote, roll back and redeploy',
  'network:storage:read': 'Read stored objects',
  'network:storage:write': 'Store objects and manage buckets',
  'network:storage:delete': 'Delete stored objects and buckets',
  'network:requests:read': 'Read request logs',
  'network:ai_gateway:chat': 'Use AI models (billed to your organization)',
  'network:ai_gateway:models': 'List AI models',
  'network:ai_gateway:usage:read': 'View AI usage and cost',
  'network:ai_gateway:budgets:read': 'View AI budgets',
  'network:ai_gateway:budgets:write': 'Change AI budgets',
  'network:ai_gateway:policies:read': 'View AI policies',
  'network:ai_gateway:policies:write': 'Change AI policies',
  'fastcache:read': 'Read the key-value cache',
  'fastcache:write': 'Write to the key-value cache',
  'fastcache:delete': 'Delete from the key-value cache',
  'web-reputation:domain:get': 'Look up the reputation of domains',
  'web-reputation:email:get': 'Look up the reputation of e-mail addresses',
  'whois:domain:get': 'Look up domain registrations',
};

const areas: [prefix: string, area: string][] = [
  ['platform:organizations:', 'Organizations'],
  ['platform:api_keys:', 'API keys'],
  ['platform:admin:', 'Instance'],
  ['network:applications:', 'Applications'],
  ['network:env_vars:', 'Environment variables'],
  ['network:deployments:', 'Deployments'],
  ['network:storage:', 'Storage'],
  ['network:requests:', 'Request logs'],
  ['network:ai_gateway:', 'AI gateway'],
  ['fastcache:', 'Key-value cache'],
  ['web-reputation:', 'Web reputation'],
  ['whois:', 'Whois'],
];

/** The heading under which a page lists the scope. */
export function scopeArea(scope: Scope): string {
  return areas.find(([prefix]) => scope.startsWith(prefix))?.[1] ?? 'Identity';
}
