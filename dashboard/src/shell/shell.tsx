import { Outlet, useMatches, useNavigate, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { usePerson } from '#api/session.ts';
import { instanceEntrance, personSections, type Section } from '#shell/navigation.ts';
import { PlaceSwitch } from '#shell/place-switch.tsx';
import { usePlace } from '#shell/places.ts';
import { Sidebar } from '#shell/sidebar.tsx';
import { IconButton } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';
import { useHotkey } from '#ui/hotkeys.ts';

const Drawer = lazy(() => import('#shell/drawer.tsx'));
const CommandPalette = lazy(() => import('#shell/command-palette.tsx'));
const ShortcutsHelp = lazy(() => import('#shell/shortcuts-help.tsx'));

/** The frame of every screen behind the sign-in: sidebar, or a drawer on a phone, and the screen. */
export function Shell() {
  const [open, setOpen] = useState<'palette' | 'help' | 'drawer'>();
  const close = () => setOpen(undefined);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isWide = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.wide) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever went somewhere wants to see it.
  useEffect(() => setOpen((current) => (current === 'drawer' ? undefined : current)), [path]);
  useHotkey('mod+k', 'Search', () => setOpen('palette'));
  useHotkey('?', 'Show keyboard shortcuts', () => setOpen('help'));
  const openPalette = () => setOpen('palette');

  return (
    <div className="min-h-dvh md:grid md:grid-cols-[14.5rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only rounded-md bg-raised px-3 py-2 font-medium shadow-high focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh border-r md:block">
        <Sidebar onSearch={openPalette} />
      </aside>
      <header className="sticky top-0 z-30 flex h-13 items-center gap-1 border-b bg-canvas/90 px-2 backdrop-blur-sm md:hidden">
        <IconButton
          label="Open navigation"
          icon={<MenuIcon aria-hidden />}
          onClick={() => setOpen('drawer')}
        />
        <div className="min-w-0 flex-1">
          <PlaceSwitch />
        </div>
        <IconButton label="Search" icon={<Search aria-hidden />} onClick={openPalette} />
      </header>
      <main id="main" tabIndex={-1} className="min-w-0 outline-none">
        <div
          className={classes(
            'mx-auto px-4 py-6 md:px-8 md:py-9',
            isWide ? 'max-w-[110rem]' : 'max-w-[76rem]',
          )}
        >
          <Outlet />
        </div>
      </main>
      <SectionHotkeys />
      <Suspense>
        {open === 'drawer' && <Drawer onClose={close} onSearch={openPalette} />}
        {open === 'palette' && <CommandPalette onClose={close} />}
        {open === 'help' && <ShortcutsHelp onClose={close} />}
      </Suspense>
    </div>
  );
}

function SectionHotkeys() {
  const { sections, params } = usePlace();
  const person = usePerson();
  const all = [...sections, ...personSections, ...(person.operator ? [instanceEntrance] : [])];
  return all.map((section) => <SectionHotkey key={section.keys} section={section} params={params} />);
}

function SectionHotkey({ section: { text, to, keys }, params }: { section: Section; params: object }) {
  const navigate = useNavigate();
  useHotkey(keys, `Go to ${text}`, () => void navigate({ to: to as '/o/$slug', params: params as never }));
  return null;
}
