import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { usePerson } from '#api/session.ts';
import { organizationsQuery } from '#areas/organizations/data.ts';
import { useCurrentOrganization } from '#shell/current-organization.ts';
import { operatorPlaces, organizationPlaces, personPlaces } from '#shell/navigation.ts';
import { signOut } from '#shell/sign-out.ts';
import { chooseTheme } from '#shell/theme.ts';
import { backdropClass } from '#ui/dialog.tsx';
import { activeHotkeys } from '#ui/hotkeys.ts';
import { Keys } from '#ui/keys.tsx';

interface Command {
  /** Unique; what is typed is looked for in it. */
  label: string;
  keys?: string;
  run: () => void;
}
interface CommandGroup {
  value: string;
  items: Command[];
}

/** Everything that can be done from here, by typing a part of its name. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const groups = useCommands();
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Viewport className="fixed inset-0 z-40 flex items-start justify-center p-2 sm:pt-[12vh]">
          <Dialog.Popup
            aria-label="Search and do anything"
            className="popup flex max-h-[min(30rem,80dvh)] w-full max-w-lg flex-col overflow-hidden"
          >
            <Autocomplete.Root
              open
              inline
              items={groups}
              itemToStringValue={(item: Command) => item.label}
              autoHighlight="always"
              keepHighlight
            >
              <div className="flex items-center gap-2.5 border-b px-4">
                <Search aria-hidden className="size-4 text-faint" />
                <Autocomplete.Input
                  aria-label="Search"
                  placeholder="Go somewhere, do something"
                  className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
                />
                <Keys text="Esc" />
              </div>
              <Dialog.Close className="sr-only">Close</Dialog.Close>
              <Autocomplete.Empty>
                <div className="px-4 py-8 text-center text-muted not-in-data-empty:hidden">
                  Nothing has this name.
                </div>
              </Autocomplete.Empty>
              <Autocomplete.List className="min-h-0 flex-1 scroll-py-1 overflow-y-auto p-1.5 empty:p-0">
                {(group: CommandGroup) => (
                  <Autocomplete.Group key={group.value} items={group.items} className="not-last:mb-2">
                    <Autocomplete.GroupLabel className="px-2 py-1 text-xs text-faint">
                      {group.value}
                    </Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(item: Command) => (
                        <Autocomplete.Item
                          key={item.label}
                          value={item}
                          className="menu-line"
                          onClick={() => {
                            onClose();
                            item.run();
                          }}
                        >
                          <span className="min-w-0 flex-1 truncate">{item.label}</span>
                          {item.keys && <Keys text={item.keys} />}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useCommands(): CommandGroup[] {
  const navigate = useNavigate();
  const organization = useCurrentOrganization();
  const { data: organizations } = useSuspenseQuery(organizationsQuery);
  const person = usePerson();
  const slug = organization?.slug ?? '';
  const go = (to: string, search?: object) => () =>
    void navigate({ to: to as '/o/$slug', params: { slug }, ...(search ? { search: search as never } : {}) });

  const places = [
    ...(organization ? organizationPlaces.flatMap((group) => group.places) : []),
    ...personPlaces,
    ...(person.operator ? operatorPlaces : []),
  ];
  const goes = places.map(({ text, to, keys }) => ({ label: text, keys, run: go(to) }));
  const here = activeHotkeys()
    .filter(({ keys }) => !/^(g |mod\+k$)/.test(keys))
    .map(({ text, keys, run }) => ({ label: text, keys, run }));
  const switches = organizations
    .filter(({ id }) => id !== organization?.id)
    .map((other) => ({
      label: `Switch to ${other.name} (${other.slug})`,
      run: () => void navigate({ to: '/o/$slug', params: { slug: other.slug } }),
    }));
  const always: Command[] = [
    ...(organization ? [{ label: 'Create an API key', run: go('/o/$slug/keys', { create: true }) }] : []),
    { label: 'Create an organization', run: go('/new-organization') },
    { label: 'Theme: light', run: () => chooseTheme('light') },
    { label: 'Theme: dark', run: () => chooseTheme('dark') },
    { label: 'Theme: as the system', run: () => chooseTheme('system') },
    { label: 'Open the API reference', run: () => location.assign('/docs') },
    { label: 'Sign out', run: () => void signOut() },
  ];
  return [
    { value: 'On this screen', items: here },
    { value: 'Go to', items: goes },
    { value: 'Organizations', items: switches },
    { value: 'Anywhere', items: always },
  ].filter(({ items }) => items.length > 0);
}
