/** Who can act. A key or a token belongs to exactly one actor. */
export const actorTypes = ['user', 'organization', 'application', 'deployment', 'function'] as const;
export type ActorType = (typeof actorTypes)[number];

/** Actors that stand for people or for the account itself. */
export const accountActors = ['user', 'organization'] as const satisfies ActorType[];

const platformScopes = [
  'openid',
  'platform:organizations:read',
  'platform:organizations:write',
  'platform:api_keys:read',
  'platform:api_keys:write',
  'platform:api_keys:delete',
] as const;

/** For users who are operators of the instance; no key of an organization or application holds them. */
const operatorScopes = ['platform:admin:read', 'platform:admin:write'] as const;

const networkScopes = [
  'network:applications:read',
  'network:applications:write',
  'network:env_vars:read',
  'network:env_vars:write',
  'network:env_vars:delete',
  'network:deployments:read',
  'network:deployments:write',
  'network:deployments:trigger',
  'network:storage:read',
  'network:storage:write',
  'network:storage:delete',
  'network:requests:read',
  'network:ai_gateway:chat',
  'network:ai_gateway:models',
  'network:ai_gateway:usage:read',
  'network:ai_gateway:budgets:read',
  'network:ai_gateway:budgets:write',
  'network:ai_gateway:policies:read',
  'network:ai_gateway:policies:write',
] as const;

const cacheScopes = ['fastcache:read', 'fastcache:write', 'fastcache:delete'] as const;

const intelligenceScopes = [
  'web-reputation:domain:get',
  'web-reputation:email:get',
  'whois:domain:get',
] as const;

export const scopes = [
  ...platformScopes,
  ...operatorScopes,
  ...networkScopes,
  ...cacheScopes,
  ...intelligenceScopes,
] as const;
export type Scope = (typeof scopes)[number];

/** Scopes of operators: they never leave an API key or a session, so no program gets them by OAuth. */
export function isOperatorScope(scope: Scope): boolean {
  return scope.startsWith('platform:admin:');
}

/** Whether the scope lets its bearer look and nothing else. */
export function isReadOnly(scope: Scope): boolean {
  return /^openid$|:(read|get|models)$/.test(scope);
}

const known: ReadonlySet<string> = new Set(scopes);

export function isScope(text: string): text is Scope {
  return known.has(text);
}

/** Cache scopes too: an account uses them on the caches of its applications, and hands them on to their keys. */
const accountScopes: readonly Scope[] = [
  ...platformScopes,
  ...networkScopes,
  ...cacheScopes,
  ...intelligenceScopes,
];
const applicationScopes: readonly Scope[] = [
  'openid',
  'platform:organizations:read',
  ...networkScopes,
  ...cacheScopes,
  ...intelligenceScopes,
];

/** The scopes that a key of this actor may carry. Keys are managed by people and organizations, never by an application. */
export function scopesFor(actor: ActorType, options: { operator?: boolean } = {}): readonly Scope[] {
  if (actor === 'user' && options.operator) return [...accountScopes, ...operatorScopes];
  if (actor === 'user' || actor === 'organization') return accountScopes;
  return applicationScopes;
}
