import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useOrganization } from '#areas/organizations/data.ts';
import { SettingsTabs } from '#areas/organizations/settings-tabs.tsx';
import { AccessCard } from '#areas/products/access-card.tsx';
import { productsQuery } from '#areas/products/data.ts';
import { matches } from '#shell/search.ts';
import { FilterField } from '#ui/filter-field.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/o/$slug/settings/products');

export function Products() {
  const organization = useOrganization();
  const { filter } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useSuspenseQuery(productsQuery(organization.id));
  const shown = data.filter(({ product: { slug, displayName, plans }, subscription }) =>
    matches(filter, slug, displayName, subscription?.plan ?? '', ...plans.map((plan) => plan.displayName)),
  );
  return (
    <>
      <PageHeader
        title="Settings"
        call={{ method: 'GET', path: `/organizations/${organization.id}/products` }}
      />
      <SettingsTabs />
      <div className="mb-4">
        <FilterField
          label="Filter products"
          value={filter ?? ''}
          onChange={(text) => void navigate({ search: text ? { filter: text } : {}, replace: true })}
        />
      </div>
      {shown.length === 0 && <p className="py-10 text-center text-muted">No products match “{filter}”.</p>}
      <div className="grid gap-4 sm:grid-cols-2">
        {shown.map((access) => (
          <AccessCard
            key={access.product.slug}
            access={access}
            call={{
              method: 'GET',
              path: `/organizations/${organization.id}/products/${access.product.slug}/entitlement`,
            }}
          />
        ))}
      </div>
    </>
  );
}
