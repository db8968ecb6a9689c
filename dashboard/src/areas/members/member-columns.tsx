import type { Member } from '@mainstay/sdk';
import { memberName } from '#areas/members/data.ts';
import { RemoveButton } from '#areas/members/remove-button.tsx';
import { RoleCell } from '#areas/members/role-cell.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import type { Column } from '#ui/data-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

interface Viewer {
  personId: string;
  isOwner: boolean;
  /** There is one owner only, whose role nobody can change. */
  isLastOwner: boolean;
}

export const memberColumns = ({ personId, isOwner, isLastOwner }: Viewer): Column<Member>[] => [
  {
    id: 'name',
    value: memberName,
    header: 'Name',
    sortable: true,
    width: '3fr',
    cell: (row) => (
      <span className="flex items-center gap-2.5">
        <Avatar url={row.imageUrl} name={memberName(row)} />
        <span className="min-w-0 leading-4">
          <span className="flex items-center gap-1.5">
            <span className="truncate font-medium">{memberName(row)}</span>
            {row.userId === personId && <Badge>You</Badge>}
          </span>
          {memberName(row) !== row.email && (
            <span className="block truncate text-xs text-faint">{row.email}</span>
          )}
        </span>
      </span>
    ),
  },
  {
    id: 'role',
    value: (row) => row.role,
    header: 'Role',
    sortable: true,
    width: '8.5rem',
    cell: (row) => (
      <RoleCell
        member={row}
        isOwn={row.userId === personId}
        isFixed={!isOwner || (isLastOwner && row.role === 'OWNER')}
      />
    ),
  },
  {
    id: 'joinedAt',
    value: (row) => row.joinedAt,
    header: 'Joined',
    sortable: true,
    width: '8rem',
    wide: true,
    cell: (row) => <RelativeTime time={row.joinedAt} />,
  },
  ...(isOwner
    ? ([
        {
          id: 'remove',
          header: 'Actions',
          fixed: true,
          width: '3.5rem',
          align: 'end',
          cell: (row) => (row.userId === personId ? null : <RemoveButton member={row} />),
        },
      ] satisfies Column<Member>[])
    : []),
];
