import type { Workload } from '#areas/functions/service.ts';
import type { ServiceVariable } from '#areas/services/service.ts';
import { isPlatformVariable, workloadVariables as platformVariables } from '#core/compatibility.ts';
import type { SealedColumn, Vault } from '#core/vault.ts';
import type { DeploymentRow } from './store.ts';

/** Names that the platform sets in every workload; a project cannot. */
export function reservedVariable(name: string): boolean {
  return (
    ['PATH', 'HOME', 'PORT', 'HOST', 'NODE_OPTIONS'].includes(name) ||
    name.startsWith('LD_') ||
    isPlatformVariable(name)
  );
}

/** What a deployment's code finds in its environment, besides what the runner sets: ours win, then the platform's scopes. */
export function workloadVariables(
  own: Readonly<Record<string, string>>,
  configured: Readonly<Record<string, string>>,
  row: Pick<DeploymentRow, 'id' | 'application_id'>,
  key: { id: string; secret: string } | null,
): Record<string, string> {
  const allowed = Object.entries({ ...configured, ...own }).filter(([name]) => !reservedVariable(name));
  return {
    NODE_ENV: 'production',
    ...Object.fromEntries(allowed),
    ...platformVariables({
      ...{ APPLICATION_ID: row.application_id, DEPLOYMENT_ID: row.id },
      ...(key ? { CLIENT_ID: key.id, CLIENT_SECRET: key.secret } : {}),
    }),
  };
}

/** A variable of a scope, as a build is given it. */
export interface ScopedVariable {
  key: string;
  value: string;
  sensitive: boolean;
  source: 'organization' | 'application' | 'environment';
}

export interface VariableSource {
  key: string;
  source: ScopedVariable['source'] | 'configuration' | 'platform' | 'service';
  sensitive: boolean;
}

/** Where each variable of a workload came from, without its value. */
export function sourcesOf(
  env: Readonly<Record<string, string>>,
  scoped: readonly ScopedVariable[],
  ofServices: readonly ServiceVariable[],
): VariableSource[] {
  const known = new Map(scoped.map((variable) => [variable.key, variable]));
  return Object.keys(env)
    .sort()
    .map((key) => {
      if (key === 'NODE_ENV' || reservedVariable(key))
        return { key, source: 'platform', sensitive: key.endsWith('_SECRET') };
      const own = known.get(key);
      if (own) return { key, source: own.source, sensitive: own.sensitive };
      const served = ofServices.find((variable) => variable.key === key);
      return { key, source: served ? 'service' : 'configuration', sensitive: served?.sensitive ?? false };
    });
}

function context(id: string): string {
  return `deployments.variables:${id}`;
}

export function sealedVariables(vault: Vault, id: string, env: Readonly<Record<string, string>>): Buffer {
  return vault.encrypt(context(id), JSON.stringify(env));
}

function openVariables(vault: Vault, row: Pick<DeploymentRow, 'id' | 'variables'>): Record<string, string> {
  return row.variables === null ? {} : JSON.parse(vault.decryptText(context(row.id), row.variables));
}

/** What its processes are given, with the values that their logs must not show. */
export function workloadOf(
  vault: Vault,
  row: Pick<DeploymentRow, 'id' | 'variables' | 'variable_sources'>,
): Workload {
  const env = openVariables(vault, row);
  return { env, secrets: secretsOf(env, JSON.parse(row.variable_sources ?? '[]') as VariableSource[]) };
}

export function secretsOf(
  env: Readonly<Record<string, string>>,
  sources: readonly VariableSource[],
): string[] {
  return sources.flatMap(({ key, sensitive }) => (sensitive ? (env[key] ?? []) : []));
}

export const sealedDeployments: SealedColumn = {
  table: 'deployments',
  column: 'variables',
  key: ['id'],
  context: ({ id = '' }) => context(id),
};
