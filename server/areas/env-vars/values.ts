import type { SealedColumn, Vault } from '#core/vault.ts';
import type { EnvVarRow, VersionRow } from './store.ts';

const valueContext = (id: string) => `env_vars.value:${id}`;
const versionContext = (id: string, version: number | string) => `env_var_versions.value:${id}:${version}`;

export const sealedEnvVars: readonly SealedColumn[] = [
  { table: 'env_vars', column: 'value', key: ['id'], context: ({ id = '' }) => valueContext(id) },
  {
    table: 'env_var_versions',
    column: 'value',
    key: ['env_var_id', 'version'],
    context: ({ env_var_id = '', version = '' }) => versionContext(env_var_id, version),
  },
];

/** Seals and opens the values of variables, each bound to its row. */
export class Values {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  seal(id: string, value: string): Buffer {
    return this.#vault.encrypt(valueContext(id), value);
  }

  sealVersion(id: string, version: number, value: string): Buffer {
    return this.#vault.encrypt(versionContext(id, version), value);
  }

  open(row: EnvVarRow): string {
    return this.#vault.decryptText(valueContext(row.id), row.value);
  }

  openVersion(row: VersionRow): string {
    return this.#vault.decryptText(versionContext(row.env_var_id, row.version), row.value);
  }
}
