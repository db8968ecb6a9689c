import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { organizationsQuery } from '#areas/organizations/data.ts';
import { useCurrentOrganization } from '#shell/current-organization.ts';
import { Logo } from '#shell/logo.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '#ui/menu.tsx';

export function OrganizationSwitcher() {
  const { data: organizations } = useSuspenseQuery(organizationsQuery);
  const current = useCurrentOrganization();
  return (
    <Menu
      align="start"
      className="w-56"
      trigger={
        <button
          type="button"
          aria-label={current ? `Organization ${current.name}; switch` : 'Mainstay; organizations'}
          className="flex h-9 w-full min-w-0 items-center gap-2 rounded-md px-1.5 text-left font-semibold hover:bg-hover pointer-coarse:h-11"
        >
          {current ? <Avatar url={current.imageUrl} /> : <Logo />}
          <span className="min-w-0 flex-1 truncate">{current?.name ?? 'Mainstay'}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
        </button>
      }
    >
      {organizations.length > 0 && (
        <MenuGroup label="Organizations">
          {organizations.map((organization) => (
            <MenuItem
              key={organization.id}
              icon={<Avatar url={organization.imageUrl} />}
              render={<Link to="/o/$slug" params={{ slug: organization.slug }} />}
            >
              <span className="flex items-center justify-between gap-2">
                <span className="truncate">{organization.name}</span>
                {organization.id === current?.id && <Check aria-label="current" className="text-accent!" />}
              </span>
            </MenuItem>
          ))}
        </MenuGroup>
      )}
      <MenuSeparator />
      <MenuItem icon={<Plus aria-hidden />} render={<Link to="/new-organization" />}>
        New organization
      </MenuItem>
    </Menu>
  );
}
