import type { Static } from 'typebox';
import { isoTime } from '#core/clock.ts';
import { resolveReferences, type Variable } from './resolve.ts';
import type { EnvVar, EnvVarVersion } from './schema.ts';
import type { EnvVarRow, VersionRow } from './store.ts';
import type { Values } from './values.ts';

interface Shown {
  /** What to show instead of the values themselves. */
  shown?: ReadonlyMap<string, Variable> | undefined;
  /** Names, by id. */
  environments?: ReadonlyMap<string, string>;
}

/** As the API shows it: a sensitive value never. */
export function toEnvVar(
  row: EnvVarRow,
  values: Values,
  { shown, environments }: Shown = {},
): Static<typeof EnvVar> {
  const sensitive = row.sensitive === 1;
  const instead = shown?.get(row.key);
  const hidden = sensitive || instead?.sensitive === true;
  return {
    id: row.id,
    key: row.key,
    value: hidden ? null : (instead?.value ?? values.open(row)),
    sensitive,
    scope: sourceOf(row),
    environmentId: row.environment_id || null,
    environmentName: environments?.get(row.environment_id) ?? null,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** The scope that the variable is set in. */
export function sourceOf(
  row: Pick<EnvVarRow, 'application_id' | 'environment_id'>,
): 'organization' | 'application' | 'environment' {
  if (row.environment_id !== '') return 'environment';
  return row.application_id === '' ? 'organization' : 'application';
}

/** Every variable by key, with its references replaced. */
export function resolved(rows: readonly EnvVarRow[], values: Values): Map<string, Variable> {
  const variables = rows.map(
    (row) => [row.key, { value: values.open(row), sensitive: row.sensitive === 1 }] as const,
  );
  return resolveReferences(new Map(variables));
}

/** `row`: the variable as it is now; while it is sensitive no version of it is shown. */
export function toVersion(version: VersionRow, row: EnvVarRow, values: Values): Static<typeof EnvVarVersion> {
  const hidden = row.sensitive === 1 || version.sensitive === 1;
  return {
    version: version.version,
    key: version.key,
    value: hidden ? null : values.openVersion(version),
    sensitive: version.sensitive === 1,
    actor: { type: version.actor_type, id: version.actor_id },
    createdAt: isoTime(version.created_at),
  };
}
