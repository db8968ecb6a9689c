import type { ProductAccess } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { entitlementsQuery, organizationQuery } from '#areas/instance/data.ts';
import { AccessCard } from '#areas/products/access-card.tsx';
import { Button } from '#ui/button.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { Mono } from '#ui/code-block.tsx';
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Pending } from '#ui/pending.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const route = getRouteApi('/signed-in/instance/organizations/$organizationId');

/** What one organization has access to, and the operators' say in it. */
export function Entitlements() {
  const { organizationId } = route.useParams();
  const query = useQuery(entitlementsQuery(organizationId));
  const { data } = query;
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const path = `/admin/organizations/${organizationId}/products`;
  return (
    <>
      <PageHeader
        title={organization?.name ?? 'Organization'}
        crumbs={[{ text: 'Organizations', link: { to: '/instance/organizations' } }]}
        badge={
          organization && (
            <StatusBadge
              status={
                organization.deletedAt !== null ? 'deleted' : organization.suspended ? 'suspended' : 'active'
              }
            />
          )
        }
        description={<Mono copy>{organizationId}</Mono>}
        call={{ method: 'GET', path }}
        actions={
          <Link to="/instance/audit-log" search={{ targetId: organizationId }} className={buttonClass({})}>
            View activity
          </Link>
        }
      />
      <h2 className="mb-3 text-base font-semibold">Products</h2>
      <Pending query={query} className="h-64" />
      <div className="grid gap-4 sm:grid-cols-2">
        {data?.map((access) => (
          <AccessCard
            key={access.product.slug}
            access={access}
            call={{
              method: 'PUT',
              path: `${path}/${access.product.slug}/entitlement`,
              body: { status: 'ACTIVE' },
            }}
            actions={<AccessMenu organizationId={organizationId} access={access} />}
          />
        ))}
      </div>
    </>
  );
}

type Status = Parameters<typeof api.admin.setEntitlement>[2]['status'];
const verbs: Record<Status, string> = { ACTIVE: 'Grant', SUSPENDED: 'Suspend', REVOKED: 'Revoke' };

function AccessMenu({ organizationId, access }: { organizationId: string; access: ProductAccess }) {
  const { product, explicitEntitlement, subscription } = access;
  const refresh = [['instance', 'products', organizationId], ['products']];
  const entitle = useAction({
    run: (status: Status | null) =>
      status === null
        ? api.admin.deleteEntitlement(organizationId, product.slug)
        : api.admin.setEntitlement(organizationId, product.slug, { status }),
    refresh,
    done: `${product.displayName} changed`,
  });
  const subscribe = useAction({
    run: (body: { plan: string; status: 'ACTIVE' | 'CANCELED' }) =>
      api.admin.setSubscription(organizationId, product.slug, body),
    refresh,
    done: `${product.displayName} changed`,
  });
  return (
    <Menu
      trigger={
        <Button size="sm" busy={entitle.isPending || subscribe.isPending}>
          Change
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <MenuGroup label="Access">
        {(Object.keys(verbs) as Status[]).map((status) => (
          <MenuItem
            key={status}
            disabled={explicitEntitlement?.status === status}
            onSelect={() => entitle.mutate(status)}
          >
            {verbs[status]}
          </MenuItem>
        ))}
        <MenuItem disabled={explicitEntitlement === null} onSelect={() => entitle.mutate(null)}>
          Reset to default
        </MenuItem>
      </MenuGroup>
      {product.plans.length > 0 && (
        <>
          <MenuSeparator />
          <MenuGroup label="Plan">
            {product.plans.map(({ slug, displayName }) => (
              <MenuItem
                key={slug}
                disabled={subscription?.plan === slug && subscription.status === 'ACTIVE'}
                onSelect={() => subscribe.mutate({ plan: slug, status: 'ACTIVE' })}
              >
                {displayName}
              </MenuItem>
            ))}
            {subscription?.status === 'ACTIVE' && (
              <MenuItem
                danger
                onSelect={() => subscribe.mutate({ plan: subscription.plan, status: 'CANCELED' })}
              >
                Cancel the plan
              </MenuItem>
            )}
          </MenuGroup>
        </>
      )}
    </Menu>
  );
}
