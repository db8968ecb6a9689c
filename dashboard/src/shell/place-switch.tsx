import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Gauge, Plus } from 'lucide-react';
import { usePerson } from '#api/session.ts';
import { organizationsQuery } from '#areas/organizations/data.ts';
import { useCurrentOrganization } from '#shell/current-organization.ts';
import { Logo } from '#shell/logo.tsx';
import { usePlace } from '#shell/places.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '#ui/menu.tsx';

/** The one switch between places: every organization of the person, and the instance for its operators. */
export function PlaceSwitch() {
  const { data: organizations } = useSuspenseQuery(organizationsQuery);
  const person = usePerson();
  const organization = useCurrentOrganization();
  const isInstance = usePlace().name === 'instance';
  const current = isInstance ? undefined : organization;
  const name = isInstance ? 'Instance' : (organization?.name ?? 'Mainstay');
  return (
    <Menu
      align="start"
      className="w-60"
      trigger={
        <button
          type="button"
          aria-label={`${name}; switch organization`}
          className="flex h-9 w-full min-w-0 items-center gap-2 rounded-md px-1.5 text-left font-semibold hover:bg-hover pointer-coarse:h-11"
        >
          {current ? <Avatar url={current.imageUrl} /> : <Logo />}
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
        </button>
      }
    >
      {organizations.length > 0 && (
        <MenuGroup label="Organizations">
          {organizations.map((one) => (
            <MenuItem
              key={one.id}
              icon={<Avatar url={one.imageUrl} />}
              render={<Link to="/o/$slug" params={{ slug: one.slug }} />}
            >
              <Line text={one.name} isCurrent={one.id === current?.id} />
            </MenuItem>
          ))}
        </MenuGroup>
      )}
      <MenuItem icon={<Plus aria-hidden />} render={<Link to="/new-organization" />}>
        New organization
      </MenuItem>
      {person.operator && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Gauge aria-hidden />} render={<Link to="/instance" />}>
            <Line text="Instance" isCurrent={isInstance} />
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function Line({ text, isCurrent }: { text: string; isCurrent: boolean }) {
  return (
    <span className="flex items-center justify-between gap-2">
      <span className="truncate">{text}</span>
      {isCurrent && <Check aria-label="current" className="text-accent!" />}
    </span>
  );
}
