import {
  Activity,
  AppWindow,
  Braces,
  Building2,
  DatabaseZap,
  Gauge,
  Globe,
  HardDrive,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Rocket,
  ScrollText,
  SearchCheck,
  Settings,
  ShieldAlert,
  ShieldCheck,
  Sparkles,
  Terminal,
  UserRound,
  Users,
} from 'lucide-react';
import type { Operation } from '#areas/organizations/permissions.ts';

/** A section of a place, as the sidebar, the palette and the keyboard know it. */
export interface Section {
  text: string;
  icon: LucideIcon;
  /** A path of the router. A section whose path no route has yet is not shown anywhere. */
  to: string;
  /** Keys that go there: `g`, then one more, unique in its place. */
  keys: string;
  /** An operation that the section is nothing without: hidden from people who may not use it. */
  needs?: Operation;
  /** What else somebody may type into the palette who looks for it. */
  synonyms?: string;
}

/** What belongs to one organization. At most nine sections, so that the sidebar fits small screens. */
export const organizationSections: Section[] = [
  { text: 'Overview', icon: LayoutDashboard, to: '/o/$slug', keys: 'g o', synonyms: 'home dashboard usage' },
  {
    text: 'Applications',
    icon: AppWindow,
    to: '/o/$slug/apps',
    keys: 'g a',
    synonyms: 'apps projects services',
  },
  {
    text: 'AI gateway',
    icon: Sparkles,
    to: '/o/$slug/ai',
    keys: 'g i',
    needs: 'getAiUsageSummary',
    synonyms: 'llm models budgets policies usage cost playground',
  },
  {
    text: 'Variables',
    icon: Braces,
    to: '/o/$slug/variables',
    keys: 'g v',
    needs: 'listOrganizationEnvVars',
    synonyms: 'environment env secrets dotenv configuration',
  },
  {
    text: 'API keys',
    icon: KeyRound,
    to: '/o/$slug/keys',
    keys: 'g k',
    needs: 'listApiKeys',
    synonyms: 'tokens credentials secrets access',
  },
  {
    text: 'Lookups',
    icon: SearchCheck,
    to: '/o/$slug/lookups',
    keys: 'g l',
    synonyms: 'web reputation domain email whois availability threat overrides',
  },
  {
    text: 'Members',
    icon: Users,
    to: '/o/$slug/members',
    keys: 'g m',
    synonyms: 'people team users invitations roles',
  },
  {
    text: 'Audit log',
    icon: ScrollText,
    to: '/o/$slug/audit-log',
    keys: 'g u',
    needs: 'listAuditLog',
    synonyms: 'history activity changes',
  },
  {
    text: 'Settings',
    icon: Settings,
    to: '/o/$slug/settings',
    keys: 'g s',
    synonyms: 'name slug picture products plans entitlements delete danger',
  },
];

/** What belongs to one application, a level below its organization. */
export const applicationSections: Section[] = [
  { text: 'Overview', icon: LayoutDashboard, to: '/o/$slug/apps/$applicationId', keys: 'g o' },
  {
    text: 'Deployments',
    icon: Rocket,
    to: '/o/$slug/apps/$applicationId/deployments',
    keys: 'g d',
    synonyms: 'releases builds rollback promote schedules cron metrics functions',
  },
  {
    text: 'Logs',
    icon: Terminal,
    to: '/o/$slug/apps/$applicationId/logs',
    keys: 'g l',
    synonyms: 'requests runtime analytics traffic',
  },
  {
    text: 'Storage',
    icon: HardDrive,
    to: '/o/$slug/apps/$applicationId/storage',
    keys: 'g b',
    synonyms: 'buckets objects files s3 trash uploads',
  },
  {
    text: 'Cache',
    icon: DatabaseZap,
    to: '/o/$slug/apps/$applicationId/cache',
    keys: 'g c',
    needs: 'listApplicationCacheKeys',
    synonyms: 'key value redis memcached',
  },
  {
    text: 'Variables',
    icon: Braces,
    to: '/o/$slug/apps/$applicationId/variables',
    keys: 'g v',
    synonyms: 'environment env secrets dotenv',
  },
  {
    text: 'Domains',
    icon: Globe,
    to: '/o/$slug/apps/$applicationId/domains',
    keys: 'g h',
    synonyms: 'hostnames certificates dns',
  },
  {
    text: 'API keys',
    icon: KeyRound,
    to: '/o/$slug/apps/$applicationId/keys',
    keys: 'g k',
    needs: 'listApiKeys',
    synonyms: 'tokens credentials secrets',
  },
  {
    text: 'Settings',
    icon: Settings,
    to: '/o/$slug/apps/$applicationId/settings',
    keys: 'g s',
    synonyms: 'name environments delete danger',
  },
];

/** What belongs to the instance as a whole; for its operators. */
export const instanceSections: Section[] = [
  { text: 'Overview', icon: Activity, to: '/instance', keys: 'g o', synonyms: 'health engines version' },
  {
    text: 'Users',
    icon: Users,
    to: '/instance/users',
    keys: 'g u',
    synonyms: 'people accounts waitlist operators suspended',
  },
  {
    text: 'Organizations',
    icon: Building2,
    to: '/instance/organizations',
    keys: 'g g',
    synonyms: 'tenants entitlements plans',
  },
  {
    text: 'OAuth apps',
    icon: AppWindow,
    to: '/instance/oauth-apps',
    keys: 'g x',
    synonyms: 'clients programs single sign-on openid',
  },
  {
    text: 'Threat feeds',
    icon: ShieldAlert,
    to: '/instance/threat-feeds',
    keys: 'g f',
    synonyms: 'lists blocklists overrides web reputation',
  },
  {
    text: 'AI providers',
    icon: Sparkles,
    to: '/instance/ai',
    keys: 'g i',
    synonyms: 'models credentials prices catalogue',
  },
  {
    text: 'Audit log',
    icon: ScrollText,
    to: '/instance/audit-log',
    keys: 'g l',
    synonyms: 'history activity changes',
  },
  {
    text: 'Settings',
    icon: Settings,
    to: '/instance/settings',
    keys: 'g s',
    synonyms: 'sign-up quota early access',
  },
];

/** Of the person, whatever the place; the user menu shows them. */
export const personSections: Section[] = [
  { text: 'Your organizations', icon: Building2, to: '/o', keys: 'g e', synonyms: 'teams restore deleted' },
  { text: 'Profile', icon: UserRound, to: '/account', keys: 'g p', synonyms: 'name picture e-mail' },
  {
    text: 'Security',
    icon: ShieldCheck,
    to: '/account/security',
    keys: 'g t',
    synonyms: 'password passkey two-factor sessions grants',
  },
  {
    text: 'Personal API keys',
    icon: KeyRound,
    to: '/account/keys',
    keys: 'g y',
    synonyms: 'tokens credentials',
  },
];

/** Leads operators to the instance; shown in the switch at the top. */
export const instanceEntrance: Section = {
  text: 'Instance',
  icon: Gauge,
  to: '/instance',
  keys: 'g n',
  synonyms: 'operator admin health',
};
