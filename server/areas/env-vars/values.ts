import { LRUCache } from 'lru-cache';
import type { SealedColumn } from '#areas/vault/service.ts';
import type { Vault } from '#core/vault.ts';
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

const cachedBytes = 16 * 1024 * 1024;

/**
 * Seals and opens the values of variables. Plain ones that were opened stay in bounded memory under the variable's id and
 * version, which never names another value; sensitive ones are opened each time and kept nowhere.
 */
export class Values {
  readonly #vault: Vault;
  readonly #opened = new LRUCache<string, string>({
    maxSize: cachedBytes,
    sizeCalculation: (value) => value.length * 2 + 100,
  });

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
    if (row.sensitive === 1) return this.#vault.decryptText(valueContext(row.id), row.value);
    const name = `${row.id}:${row.version}`;
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const value = this.#vault.decryptText(valueContext(row.id), row.value);
    this.#opened.set(name, value);
    return value;
  }

  openVersion(row: VersionRow): string {
    return this.#vault.decryptText(versionContext(row.env_var_id, row.version), row.value);
  }
}
