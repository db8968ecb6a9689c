import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { PlaceSwitch } from '#shell/place-switch.tsx';
import { usePlace } from '#shell/places.ts';
import { UserMenu } from '#shell/user-menu.tsx';
import { Keys } from '#ui/keys.tsx';

/** These lead to the whole of a place; below them stand the addresses of all other sections. */
const roots = new Set(['/o/$slug', '/o/$slug/apps/$applicationId', '/instance']);

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const { sections, params, name } = usePlace();
  return (
    <div className="flex h-full flex-col gap-3 px-3 py-3">
      <PlaceSwitch />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 items-center gap-2 rounded-md border bg-surface px-2.5 text-faint shadow-low hover:text-muted pointer-coarse:h-11"
      >
        <Search aria-hidden className="size-3.5" />
        <span className="flex-1 text-left">Search</span>
        <Keys text="mod+k" />
      </button>
      <nav
        aria-label={
          name === 'instance' ? 'Instance' : name === 'application' ? 'Application' : 'Organization'
        }
        className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1"
      >
        <ul className="space-y-px">
          {sections.map(({ text, icon: Icon, to }) => (
            <li key={to}>
              <Link
                to={to as '/o/$slug'}
                params={params}
                preload="intent"
                activeOptions={{ exact: roots.has(to), includeSearch: false }}
                className="flex h-8 items-center gap-2.5 rounded-md px-2 font-medium text-muted hover:bg-hover hover:text-ink data-[status=active]:bg-pressed data-[status=active]:text-ink pointer-coarse:h-11 [&_svg]:text-faint data-[status=active]:[&_svg]:text-accent"
              >
                <Icon aria-hidden className="size-4" />
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <UserMenu />
    </div>
  );
}
