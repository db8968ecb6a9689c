import { Code2, Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { IconButton } from '#ui/button.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { CodeOf } from '#ui/view-as-code.tsx';

interface CallMenuProps {
  /** What the menu is about, for those who do not see where it stands. */
  label: string;
  /** A function: of what is written in a form when the menu is opened. */
  call?: ApiCall | (() => ApiCall) | undefined;
  look?: 'secondary' | 'ghost';
  /** More items, above. */
  children?: ReactNode;
}

/** The overflow menu of a page or a card, with "View as code" at its end. */
export function CallMenu({ label, call, look = 'ghost', children }: CallMenuProps) {
  const [shown, setShown] = useState<ApiCall>();
  return (
    <>
      <Menu
        trigger={<IconButton look={look} label={`Actions for ${label}`} icon={<Ellipsis aria-hidden />} />}
      >
        {children}
        {call && (
          <MenuItem
            icon={<Code2 aria-hidden />}
            onSelect={() => setShown(typeof call === 'function' ? call() : call)}
          >
            View as code
          </MenuItem>
        )}
      </Menu>
      <CodeOf call={shown} onClose={() => setShown(undefined)} />
    </>
  );
}
