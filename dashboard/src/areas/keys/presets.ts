import type { ScopeInfo } from '@mainstay/sdk';
import { isHandedOn, type KeyOwner } from '#areas/keys/data.ts';

interface Preset {
  value: string;
  label: string;
  hint: string;
  includes: (scope: ScopeInfo, owner: KeyOwner) => boolean;
}

/** What a pipeline does: brings variables and files along, uploads, starts a deployment. */
const ci = new Set<string>([
  'network:applications:read',
  'network:env_vars:read',
  'network:deployments:read',
  'network:deployments:write',
  'network:deployments:trigger',
  'network:storage:read',
  'network:storage:write',
]);

/** Where to begin; single scopes can be changed after. The first is what a new key gets. */
export const presets: readonly Preset[] = [
  {
    value: 'read-only',
    label: 'Read-only',
    hint: 'Read resources and look up domains; no changes',
    includes: (scope, owner) => scope.readOnly && !isHandedOn(owner, scope),
  },
  {
    value: 'ci',
    label: 'CI',
    hint: 'Variables, storage and deployments, for pipelines',
    includes: ({ scope }) => ci.has(scope),
  },
  {
    value: 'full',
    label: 'Full access',
    hint: 'All scopes that its owner can grant',
    includes: (scope, owner) => !isHandedOn(owner, scope) && !scope.scope.startsWith('platform:admin:'),
  },
];

export function scopesOfPreset(
  value: string,
  owner: KeyOwner,
  offered: readonly ScopeInfo[],
): ReadonlySet<string> {
  const preset = presets.find((one) => one.value === value);
  return new Set(offered.filter((scope) => preset?.includes(scope, owner)).map(({ scope }) => scope));
}

/** The preset that says exactly what is chosen; undefined for a choice of one's own. */
export function presetOf(
  chosen: ReadonlySet<string>,
  owner: KeyOwner,
  offered: readonly ScopeInfo[],
): string | undefined {
  return presets.find(({ value }) => {
    const scopes = scopesOfPreset(value, owner, offered);
    return scopes.size > 0 && scopes.size === chosen.size && scopes.isSubsetOf(chosen);
  })?.value;
}
