import {
  Activity,
  AppWindow,
  Ban,
  Braces,
  Building2,
  DatabaseZap,
  Globe,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Package,
  ScrollText,
  Settings,
  ShieldCheck,
  SlidersHorizontal,
  UserRound,
  Users,
} from 'lucide-react';

/** The screens of an organization as the sidebar, the palette and the keyboard know them: one line a screen. */
export interface Place {
  text: string;
  icon: LucideIcon;
  /** A path of the router; `$slug` is the organization's. */
  to: string;
  /** Keys that go there: `g`, then one more. */
  keys: string;
}

export const organizationPlaces: { group: string | null; places: Place[] }[] = [
  {
    group: null,
    places: [{ text: 'Overview', icon: LayoutDashboard, to: '/o/$slug', keys: 'g o' }],
  },
  {
    group: 'Access',
    places: [
      { text: 'API keys', icon: KeyRound, to: '/o/$slug/keys', keys: 'g k' },
      { text: 'Members', icon: Users, to: '/o/$slug/members', keys: 'g m' },
    ],
  },
  {
    group: 'Build',
    places: [
      { text: 'Variables', icon: Braces, to: '/o/$slug/variables', keys: 'g v' },
      { text: 'Cache', icon: DatabaseZap, to: '/o/$slug/cache', keys: 'g c' },
    ],
  },
  {
    group: 'Know',
    places: [
      { text: 'Web reputation', icon: ShieldCheck, to: '/o/$slug/reputation', keys: 'g r' },
      { text: 'Whois', icon: Globe, to: '/o/$slug/whois', keys: 'g w' },
    ],
  },
  {
    group: 'Organization',
    places: [
      { text: 'Products', icon: Package, to: '/o/$slug/products', keys: 'g d' },
      { text: 'Audit log', icon: ScrollText, to: '/o/$slug/audit-log', keys: 'g l' },
      { text: 'Settings', icon: Settings, to: '/o/$slug/settings', keys: 'g s' },
    ],
  },
];

/** Places of the person, whatever the organization. The user menu shows them. */
export const personPlaces: Place[] = [
  { text: 'Your organizations', icon: Building2, to: '/o', keys: 'g a' },
  { text: 'Profile', icon: UserRound, to: '/account', keys: 'g y' },
  { text: 'Security', icon: ShieldCheck, to: '/account/security', keys: 'g t' },
  { text: 'Personal API keys', icon: KeyRound, to: '/account/keys', keys: 'g p' },
];

/** Shown to operators of the instance only. */
export const operatorPlaces: Place[] = [
  { text: 'Instance', icon: Activity, to: '/operator', keys: 'g i' },
  { text: 'Users', icon: Users, to: '/operator/users', keys: 'g u' },
  { text: 'All organizations', icon: Building2, to: '/operator/organizations', keys: 'g e' },
  { text: 'Programs', icon: AppWindow, to: '/operator/programs', keys: 'g x' },
  { text: 'Lists', icon: ListChecks, to: '/operator/lists', keys: 'g f' },
  { text: 'Overrides for all', icon: Ban, to: '/operator/overrides', keys: 'g b' },
  { text: 'Instance audit log', icon: ScrollText, to: '/operator/audit-log', keys: 'g j' },
  { text: 'Instance settings', icon: SlidersHorizontal, to: '/operator/settings', keys: 'g n' },
];
