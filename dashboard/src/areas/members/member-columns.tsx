import type { Member } from '@mainstay/sdk';
import { memberName } from '#areas/members/data.ts';
import { RemoveButton } from '#areas/members/remove-button.tsx';
import { RoleCell } from '#areas/members/role-cell.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import type { Columns } from '#ui/data-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

interface Viewer {
  personId: string;
  isOwner: boolean;
  /** There is one owner only, whose role nobody can change. */
  isLastOwner: boolean;
}

export const memberColumns = ({ personId, isOwner, isLastOwner }: Viewer): Columns<Member> => [
  {
    id: 'name',
    accessorFn: memberName,
    header: 'Person',
    enableSorting: true,
    meta: { width: '3fr' },
    cell: ({ row: { original } }) => (
      <span className="flex items-center gap-2.5">
        <Avatar url={original.imageUrl} name={memberName(original)} />
        <span className="min-w-0 leading-4">
          <span className="flex items-center gap-1.5">
            <span className="truncate font-medium">{memberName(original)}</span>
            {original.userId === personId && <Badge>You</Badge>}
          </span>
          {memberName(original) !== original.email && (
            <span className="block truncate text-xs text-faint">{original.email}</span>
          )}
        </span>
      </span>
    ),
  },
  {
    accessorKey: 'role',
    header: 'Role',
    enableSorting: true,
    meta: { width: '8.5rem' },
    cell: ({ row: { original } }) => (
      <RoleCell
        member={original}
        isOwn={original.userId === personId}
        isFixed={!isOwner || (isLastOwner && original.role === 'OWNER')}
      />
    ),
  },
  {
    accessorKey: 'joinedAt',
    header: 'Joined',
    enableSorting: true,
    meta: { width: '8rem', wide: true },
    cell: ({ row: { original } }) => <RelativeTime time={original.joinedAt} />,
  },
  ...(isOwner
    ? ([
        {
          id: 'remove',
          header: () => <span className="sr-only">Actions</span>,
          meta: { width: '3.5rem', align: 'end' },
          cell: ({ row: { original } }) =>
            original.userId === personId ? null : <RemoveButton member={original} />,
        },
      ] satisfies Columns<Member>)
    : []),
];
