import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { usePerson } from '#api/session.ts';
import { useCurrentOrganization } from '#shell/current-organization.ts';
import { operatorPlaces, organizationPlaces, type Place } from '#shell/navigation.ts';
import { OrganizationSwitcher } from '#shell/organization-switcher.tsx';
import { UserMenu } from '#shell/user-menu.tsx';
import { Keys } from '#ui/keys.tsx';

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const organization = useCurrentOrganization();
  const person = usePerson();
  return (
    <div className="flex h-full flex-col gap-3 px-3 py-3">
      <OrganizationSwitcher />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 items-center gap-2 rounded-md border bg-surface px-2.5 text-faint shadow-low hover:text-muted pointer-coarse:h-10"
      >
        <Search aria-hidden className="size-3.5" />
        <span className="flex-1 text-left">Search</span>
        <Keys text="mod+k" />
      </button>
      <nav aria-label="Screens" className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1">
        {organization &&
          organizationPlaces.map(({ group, places }) => (
            <PlaceGroup key={group ?? ''} group={group} places={places} slug={organization.slug} />
          ))}
        {person.operator && operatorPlaces.length > 0 && (
          <PlaceGroup group="This instance" places={operatorPlaces} slug="" />
        )}
      </nav>
      <UserMenu />
    </div>
  );
}

function PlaceGroup({ group, places, slug }: { group: string | null; places: Place[]; slug: string }) {
  return (
    <div className="mb-4">
      {group && <div className="px-2 pb-1 text-xs text-faint">{group}</div>}
      <ul>
        {places.map(({ text, icon: Icon, to }) => (
          <li key={to}>
            <Link
              to={to as '/o/$slug'}
              params={{ slug }}
              preload="intent"
              activeOptions={{ exact: to === '/o/$slug' || to === '/operator', includeSearch: false }}
              className="flex h-8 items-center gap-2.5 rounded-md px-2 font-medium text-muted hover:bg-hover hover:text-ink data-[status=active]:bg-pressed data-[status=active]:text-ink pointer-coarse:h-10 [&_svg]:text-faint data-[status=active]:[&_svg]:text-accent"
            >
              <Icon aria-hidden className="size-4" />
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
