import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { keysQuery } from '#areas/keys/data.ts';
import { membersQuery, useOrganization } from '#areas/organizations/data.ts';
import { variablesQuery } from '#areas/variables/data.ts';
import { organizationPlaces } from '#shell/navigation.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

/** The screens of the organization: what is there already, or what each is for. */
export function Places() {
  const organization = useOrganization();
  const figures = useFigures(organization.id);
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {organizationPlaces
        .flatMap(({ places }) => places)
        .filter(({ to }) => to !== '/o/$slug')
        .map(({ text, icon: Icon, to }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ slug: organization.slug }}
              className="flex h-full gap-3 rounded-lg border bg-surface px-4 py-3.5 hover:bg-pressed"
            >
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
              <span className="min-w-0">
                <span className="block font-medium">{text}</span>
                <span className="mt-0.5 block text-muted">{figures[to] ?? purposes[to]}</span>
              </span>
            </Link>
          </li>
        ))}
    </ul>
  );
}

const purposes: Record<string, string> = {
  '/o/$slug/keys': 'Let programs in, each with its own scopes',
  '/o/$slug/members': 'Who belongs here, and what they may do',
  '/o/$slug/variables': 'Configuration that applications share',
  '/o/$slug/cache': 'Keys and values of your applications',
  '/o/$slug/reputation': 'Whether a domain or an address is good',
  '/o/$slug/whois': 'Who holds a domain, and until when',
  '/o/$slug/products': 'What this organization may use',
  '/o/$slug/audit-log': 'What was changed, by whom and when',
  '/o/$slug/settings': 'Name, picture, address, deletion',
};

/** What the person may see of it, once it has come. */
function useFigures(organizationId: string): Record<string, ReactNode> {
  const { data: keys } = useQuery(keysQuery(organizationId));
  const { data: members } = useQuery(membersQuery(organizationId));
  const { data: variables } = useQuery(variablesQuery(organizationId));
  const figures: Record<string, ReactNode> = {};
  if (keys && keys.length > 0) {
    const lastUsed = keys
      .map(({ lastUsedAt }) => lastUsedAt ?? '')
      .sort()
      .at(-1);
    figures['/o/$slug/keys'] = (
      <>
        {counted(keys.length, 'key')}
        {lastUsed && (
          <>
            , used <RelativeTime time={lastUsed} />
          </>
        )}
      </>
    );
  }
  if (members) figures['/o/$slug/members'] = counted(members.total, 'member');
  if (variables && variables.length > 0) {
    const hidden = variables.filter(({ sensitive }) => sensitive).length;
    figures['/o/$slug/variables'] =
      counted(variables.length, 'variable') + (hidden > 0 ? `, ${hidden} of them sensitive` : '');
  }
  return figures;
}

function counted(count: number, what: string): string {
  return count === 1 ? `One ${what}` : `${count.toLocaleString('en')} ${what}s`;
}
