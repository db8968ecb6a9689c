import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { Cached } from '#core/cached.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import type { SealedColumn, Vault } from '#core/vault.ts';
import { checkedUrl } from './base-url.ts';
import { hintOf, makeProvider, type Provider } from './provider.ts';
import type { ProviderInput } from './schema.ts';
import {
  type CredentialRow,
  credentialsOf,
  deleteProvider,
  findProvider,
  insertProvider,
  isSlugTaken,
  listProviders,
  type ProviderRow,
  replaceCredentials,
  updateProvider,
} from './store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: organization id; empty: of the instance. */
    ai_providers: true;
  }
}

/** Notification of a change to the providers of an organization, whose id is the key; empty: of the instance. */
const providersTopic = 'ai_providers';

const keyContext = (id: string) => `ai_credentials.api_key:${id}`;
export const sealedCredentials: SealedColumn = {
  table: 'ai_credentials',
  column: 'api_key',
  key: ['id'],
  context: ({ id = '' }) => keyContext(id),
};

export interface ProvidersDeps {
  db: Db;
  vault: Vault;
  clock: Clock;
  /** Of the operator's file, read at the start. */
  fromFile: readonly Provider[];
  max: number;
}

export class Providers {
  readonly #deps: ProvidersDeps;
  readonly #byOwner: Cached<readonly Provider[]>;

  constructor(deps: ProvidersDeps) {
    this.#deps = deps;
    this.#byOwner = new Cached<readonly Provider[]>({
      notifications: deps.db.notifications,
      max: deps.max,
      topics: [providersTopic],
      load: (organizationId) => this.#load(organizationId),
    });
  }

  /** Those that requests of the organization may use: its own first. Usable or not. */
  of(organizationId: string): Maybe<readonly Provider[]> {
    return andThen(this.#byOwner.get(organizationId), (own) =>
      andThen(this.#byOwner.get(''), (shared) => (own.length === 0 ? shared : [...own, ...shared])),
    );
  }

  /** Of the organization alone; empty: of the instance. */
  list(organizationId: string): Maybe<readonly Provider[]> {
    return this.#byOwner.get(organizationId);
  }

  async find(organizationId: string, id: string): Promise<Provider> {
    const found = (await this.#byOwner.get(organizationId)).find((provider) => provider.id === id);
    if (!found) throw new Problem('not_found', 'There is no provider with this id.');
    return found;
  }

  async create(tx: Tx, source: AuditSource, organizationId: string, input: ProviderInput): Promise<Provider> {
    const { clock } = this.#deps;
    const { slug = '', type = 'openai-compatible' } = input;
    const inFile = organizationId === '' && this.#deps.fromFile.some((provider) => provider.slug === slug);
    if (inFile || (await isSlugTaken(tx, organizationId, slug)))
      throw new Problem(
        'conflict',
        `There is a provider "${slug}" already; change that one, or take another slug.`,
      );
    const now = clock.now();
    const row: ProviderRow = {
      id: newId(now),
      organization_id: organizationId,
      slug,
      type,
      name: input.name ?? slug,
      base_url: checkedUrl(input.baseUrl ?? null, type, slug, input.allowPrivate ?? false),
      zdr: input.zdr ? 1 : 0,
      priority: input.priority ?? 0,
      enabled: input.enabled === false ? 0 : 1,
      allow_private: input.allowPrivate ? 1 : 0,
      models: input.models ? JSON.stringify(input.models) : null,
      created_at: now,
      updated_at: now,
    };
    await insertProvider(tx, row);
    const credentials = this.#credentialRows(row.id, input.credentials ?? [], []);
    await replaceCredentials(tx, row.id, credentials);
    await this.#tell(tx, source, row, 'created');
    announce(tx, providersTopic, organizationId);
    return this.#toProvider(row, credentials);
  }

  async change(
    tx: Tx,
    source: AuditSource,
    organizationId: string,
    id: string,
    input: ProviderInput,
  ): Promise<Provider> {
    const { clock } = this.#deps;
    const row = await this.#changeable(tx, organizationId, id);
    const allowPrivate = input.allowPrivate ?? row.allow_private === 1;
    const after: ProviderRow = {
      ...row,
      name: input.name ?? row.name,
      base_url: checkedUrl(
        input.baseUrl === undefined ? row.base_url : input.baseUrl,
        row.type,
        row.slug,
        allowPrivate,
      ),
      zdr: (input.zdr ?? row.zdr === 1) ? 1 : 0,
      priority: input.priority ?? row.priority,
      enabled: (input.enabled ?? row.enabled === 1) ? 1 : 0,
      allow_private: allowPrivate ? 1 : 0,
      models:
        input.models === undefined ? row.models : input.models === null ? null : JSON.stringify(input.models),
      updated_at: clock.now(),
    };
    await updateProvider(tx, after);
    const before = await credentialsOf(tx, [id]);
    const moved = after.base_url !== row.base_url;
    if (moved && input.credentials === undefined && before.length > 0)
      throw new Problem(
        'invalid_request',
        'A new "baseUrl" needs the "credentials" with their "apiKey" in the same request: a stored key is never sent to another address.',
      );
    const rows = input.credentials
      ? this.#credentialRows(id, input.credentials, moved ? [] : before)
      : before;
    if (input.credentials) await replaceCredentials(tx, id, rows);
    await this.#tell(tx, source, after, 'updated', { changed: Object.keys(input) });
    announce(tx, providersTopic, organizationId);
    return this.#toProvider(after, rows);
  }

  async delete(tx: Tx, source: AuditSource, organizationId: string, id: string): Promise<void> {
    const row = await this.#changeable(tx, organizationId, id);
    await deleteProvider(tx, id);
    await this.#tell(tx, source, row, 'deleted');
    announce(tx, providersTopic, organizationId);
  }

  async #changeable(tx: Tx, organizationId: string, id: string): Promise<ProviderRow> {
    if (organizationId === '' && this.#deps.fromFile.some((provider) => provider.id === id))
      throw new Problem('conflict', 'This provider comes from MAINSTAY_AI_PROVIDERS_FILE; change it there.');
    const row = await findProvider(tx, organizationId, id);
    if (!row) throw new Problem('not_found', 'There is no provider with this id.');
    return row;
  }

  #credentialRows(
    providerId: string,
    given: NonNullable<ProviderInput['credentials']>,
    before: readonly CredentialRow[],
  ): CredentialRow[] {
    return given.map((credential, at) => {
      const known = before.find((row) => row.id === credential.id);
      const id = known?.id ?? newId();
      if (credential.apiKey === undefined && !known)
        throw new Problem('invalid_request', `The field "credentials.${at}.apiKey" is missing.`);
      if (credential.apiKey !== undefined && !/^[\x21-\x7e]+$/.test(credential.apiKey))
        throw new Problem(
          'invalid_request',
          `The field "credentials.${at}.apiKey" must hold no blanks and no other characters than ASCII's.`,
        );
      return {
        id,
        provider_id: providerId,
        name: credential.name ?? known?.name ?? `Key ${at + 1}`,
        api_key:
          credential.apiKey === undefined
            ? (known as CredentialRow).api_key
            : this.#deps.vault.encrypt(keyContext(id), credential.apiKey),
        hint: credential.apiKey === undefined ? (known?.hint ?? '') : hintOf(credential.apiKey),
        weight: credential.weight ?? known?.weight ?? 1,
        enabled: (credential.enabled ?? known?.enabled !== 0) ? 1 : 0,
      };
    });
  }

  async #load(organizationId: string): Promise<readonly Provider[]> {
    const { db, fromFile } = this.#deps;
    const rows = await listProviders(db, organizationId);
    const credentials = Map.groupBy(
      await credentialsOf(
        db,
        rows.map((row) => row.id),
      ),
      (row) => row.provider_id,
    );
    const stored = rows.map((row) => this.#toProvider(row, credentials.get(row.id) ?? []));
    return organizationId === '' ? [...fromFile, ...stored] : stored;
  }

  #toProvider(row: ProviderRow, credentials: readonly CredentialRow[]): Provider {
    return makeProvider({
      id: row.id,
      organizationId: row.organization_id,
      slug: row.slug,
      type: row.type,
      name: row.name,
      baseUrl: row.base_url,
      zdr: row.zdr === 1,
      priority: row.priority,
      enabled: row.enabled === 1,
      allowPrivate: row.allow_private === 1,
      models: row.models === null ? null : (JSON.parse(row.models) as string[]),
      credentials: credentials.map((credential) => ({
        id: credential.id,
        name: credential.name,
        apiKey: this.#deps.vault.decryptText(keyContext(credential.id), credential.api_key),
        hint: credential.hint,
        weight: credential.weight,
        enabled: credential.enabled === 1,
      })),
      readOnly: false,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    });
  }

  #tell(
    tx: Tx,
    source: AuditSource,
    row: ProviderRow,
    what: ActionOf<'ai_provider'>,
    details = {},
  ): Promise<void> {
    return audit(tx, source, {
      organizationId: row.organization_id || null,
      action: `ai_provider.${what}`,
      targetType: 'ai_provider',
      targetId: row.id,
      details: { slug: row.slug, type: row.type, ...details },
    });
  }
}
