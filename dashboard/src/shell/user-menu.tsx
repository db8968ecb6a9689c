import { Link } from '@tanstack/react-router';
import { BookOpen, Braces, Keyboard, LogOut } from 'lucide-react';
import { usePerson } from '#api/session.ts';
import { personSections } from '#shell/navigation.ts';
import { signOut } from '#shell/sign-out.ts';
import { chooseTheme, type Theme, useTheme } from '#shell/theme.ts';
import { Avatar } from '#ui/avatar.tsx';
import { activeHotkeys } from '#ui/hotkeys.ts';
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuSeparator } from '#ui/menu.tsx';

const themes: { value: Theme; text: string }[] = [
  { value: 'system', text: 'System' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
];

export function UserMenu() {
  const person = usePerson();
  const theme = useTheme();
  return (
    <Menu
      align="start"
      className="w-56"
      trigger={
        <button
          type="button"
          className="flex h-10 w-full min-w-0 items-center gap-2 rounded-md px-1.5 text-left hover:bg-hover pointer-coarse:h-12"
        >
          <span className="sr-only">Account of</span>
          <Avatar url={person.imageUrl} name={person.name} />
          <span className="min-w-0 flex-1 leading-4">
            <span className="block truncate font-medium">{person.name}</span>
            <span className="block truncate text-xs text-faint">{person.email}</span>
          </span>
        </button>
      }
    >
      {personSections.map(({ text, icon: Icon, to }) => (
        <MenuItem key={to} icon={<Icon aria-hidden />} render={<Link to={to as '/o'} />}>
          {text}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<BookOpen aria-hidden />} render={<a href="/manual/">Manual</a>}>
        Manual
      </MenuItem>
      <MenuItem icon={<Braces aria-hidden />} render={<a href="/docs">API reference</a>}>
        API reference
      </MenuItem>
      <MenuItem
        icon={<Keyboard aria-hidden />}
        keys="?"
        onSelect={() =>
          activeHotkeys()
            .find(({ keys }) => keys === '?')
            ?.run()
        }
      >
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuGroup label="Theme">
        <MenuChoice value={theme} onChange={chooseTheme} options={themes} />
      </MenuGroup>
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
