import { Columns3 } from 'lucide-react';
import { IconButton } from '#ui/button.tsx';
import { Menu, MenuCheckItem, MenuGroup } from '#ui/menu.tsx';
import type { Column } from '#ui/table-columns.ts';

interface ColumnMenuProps<Row> {
  columns: readonly Column<Row>[];
  isShown: (column: Column<Row>) => boolean;
  show: (id: string, isOn: boolean) => void;
}

/** In the corner of a table: which of its columns are shown. */
export function ColumnMenu<Row>({ columns, isShown, show }: ColumnMenuProps<Row>) {
  const open = columns.filter(({ fixed }) => !fixed);
  return (
    <div className="absolute top-0.5 right-1 rounded-md bg-sunken max-md:hidden">
      <Menu trigger={<IconButton size="sm" label="Choose columns" icon={<Columns3 aria-hidden />} />}>
        <MenuGroup label="Columns">
          {open.map((column) => (
            <MenuCheckItem
              key={column.id}
              checked={isShown(column)}
              onChange={(isOn) => show(column.id, isOn)}
            >
              {column.header}
            </MenuCheckItem>
          ))}
        </MenuGroup>
      </Menu>
    </div>
  );
}
