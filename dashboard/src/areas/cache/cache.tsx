import { getRouteApi } from '@tanstack/react-router';
import { Plus, Unplug } from 'lucide-react';
import { CacheKeys } from '#areas/cache/cache-keys.tsx';
import { CacheStats } from '#areas/cache/cache-stats.tsx';
import { leaveCache, useOpenCache } from '#areas/cache/data.ts';
import { Entrance } from '#areas/cache/entrance.tsx';
import { Button } from '#ui/button.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/o/$slug/cache');

export function Cache() {
  const open = useOpenCache();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title="Cache"
        description="Keys and values of one application, with an expiry where you set one."
        call={{ method: 'GET', path: '/fastcache/keys' }}
        actions={
          open && (
            <>
              <Button onClick={leaveCache}>
                <Unplug aria-hidden />
                Leave
              </Button>
              <Button
                look="primary"
                onClick={() => void navigate({ search: (search) => ({ ...search, create: true as const }) })}
              >
                <Plus aria-hidden />
                New item
              </Button>
            </>
          )
        }
      />
      {open ? (
        <>
          <CacheStats open={open} />
          <CacheKeys open={open} />
        </>
      ) : (
        <Entrance />
      )}
    </>
  );
}
