import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { CacheKeys } from '#areas/cache/cache-keys.tsx';
import { CacheStats } from '#areas/cache/cache-stats.tsx';
import { useApplicationCache } from '#areas/cache/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Button } from '#ui/button.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/cache');

export function Cache() {
  const open = useApplicationCache();
  const navigate = route.useNavigate();
  const canSet = useCan()('setApplicationCacheItem');
  return (
    <>
      <PageHeader
        title="Cache"
        description="Keys and values of this application. Your reads and changes are recorded in the audit log."
        call={{ method: 'GET', path: `${open.path}/keys` }}
        actions={
          canSet && (
            <Button
              look="primary"
              onClick={() => void navigate({ search: (search) => ({ ...search, create: true as const }) })}
            >
              <Plus aria-hidden />
              New item
            </Button>
          )
        }
      />
      <CacheStats open={open} />
      <CacheKeys open={open} />
    </>
  );
}
