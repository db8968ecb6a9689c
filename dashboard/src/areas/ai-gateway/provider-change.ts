import type { AiProvider } from '@mainstay/sdk';
import { api } from '#api/client.ts';
import { aiPath } from '#areas/ai-gateway/data.ts';

export const providersPath = (organizationId: string | undefined) =>
  organizationId === undefined ? '/admin/ai-gateway/providers' : `${aiPath(organizationId)}/providers`;

type Change = Parameters<typeof api.aiProviders.updateShared>[1];

export function updateProvider(organizationId: string | undefined, id: string, change: Change) {
  return organizationId === undefined
    ? api.aiProviders.updateShared(id, change)
    : api.aiProviders.update(organizationId, id, change);
}

/** As it is: the API keeps the key of one that is named by its id. */
export const keptCredential = ({ id, name, weight, enabled }: AiProvider['credentials'][number]) => ({
  id,
  name,
  weight,
  enabled,
});
