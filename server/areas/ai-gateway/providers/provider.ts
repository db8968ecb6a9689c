import { isoTime } from '#core/clock.ts';
import { type Dialect, dialectOf, needsCredential } from './presets.ts';
import type { ProviderType } from './schema.ts';

export interface Credential {
  id: string;
  name: string;
  apiKey: string;
  hint: string;
  weight: number;
  enabled: boolean;
}

export interface Provider {
  id: string;
  /** Empty: of the instance. */
  organizationId: string;
  slug: string;
  type: ProviderType;
  name: string;
  /** As its row says. */
  baseUrl: string | null;
  /** Where it is asked; null: nobody said, and its type has none. */
  address: URL | null;
  dialect: Dialect;
  zdr: boolean;
  priority: number;
  enabled: boolean;
  allowPrivate: boolean;
  models: readonly string[] | null;
  /** Model id or upstream id → upstream id, of those that it names. */
  served: ReadonlyMap<string, string> | null;
  credentials: readonly Credential[];
  readOnly: boolean;
  createdAt: number;
  updatedAt: number;
}

export function makeProvider(fields: Omit<Provider, 'address' | 'dialect' | 'served'>): Provider {
  const dialect = dialectOf(fields.type, fields.slug);
  const address = fields.baseUrl ?? dialect.baseUrl;
  return {
    ...fields,
    dialect,
    address: address === undefined ? null : new URL(address.replace(/\/+$/, '')),
    served: fields.models === null ? null : new Map(fields.models.map(servedPair)),
  };
}

function servedPair(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Whether requests can be sent to it: it has an address and, where its type needs one, a credential. */
export function isUsable(provider: Provider): boolean {
  if (!provider.enabled || !provider.address) return false;
  return !needsCredential(provider.type) || provider.credentials.some(({ enabled }) => enabled);
}

export function hintOf(apiKey: string): string {
  return apiKey.length < 12 ? '…' : `…${apiKey.slice(-4)}`;
}

/** As the API shows it: a key never. */
export function toJson(provider: Provider) {
  const { id, slug, type, name, baseUrl, zdr, priority, enabled, allowPrivate, models, readOnly } = provider;
  return {
    ...{ id, slug, type, name, baseUrl, zdr, priority, enabled, allowPrivate },
    models: models === null ? null : [...models],
    credentials: provider.credentials.map(({ apiKey: _, ...shown }) => shown),
    readOnly,
    createdAt: isoTime(provider.createdAt),
    updatedAt: isoTime(provider.updatedAt),
  };
}
