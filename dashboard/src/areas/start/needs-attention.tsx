import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { counted } from '#api/numbers.ts';
import { usePerson } from '#api/session.ts';
import { failedDomainsQuery, latestQuery } from '#areas/applications/queries.ts';
import { overviewQuery } from '#areas/instance/data.ts';
import { keysQuery, statusOf } from '#areas/keys/data.ts';
import { invitationsQuery } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { feedsQuery } from '#areas/reputation/data.ts';
import { budgetName, budgetsQuery, isNearlySpent, shareOf } from '#areas/start/budgets.ts';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';

interface Matter {
  text: string;
  action: string;
  link: LinkProps;
}

/** What somebody should look at, each with the one thing to do about it. Nothing is drawn when there is nothing. */
export function NeedsAttention() {
  const matters = useMatters();
  if (matters.length === 0) return null;
  return (
    <Card className="mt-4" title="Needs attention">
      <ul className="divide-y rounded-md border" aria-label="Needs attention">
        {matters.map(({ text, action, link }) => (
          <li key={text} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <TriangleAlert aria-hidden className="size-4 shrink-0 text-warning" />
            <span className="min-w-0 flex-1">{text}</span>
            <Link {...link} className={buttonClass({ size: 'sm' })}>
              {action}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function useMatters(): Matter[] {
  const { id, slug } = useOrganization();
  const can = useCan();
  const { operator } = usePerson();
  const { data: keys = [] } = useQuery({
    ...keysQuery({ type: 'organization', organizationId: id }),
    enabled: can('listApiKeys'),
  });
  const { data: invitations = [] } = useQuery({ ...invitationsQuery(id), enabled: can('listInvitations') });
  const { data: instance } = useQuery({ ...overviewQuery, enabled: operator });
  const { data: feeds = [] } = useQuery({ ...feedsQuery, enabled: operator });
  const { data: latest = [] } = useQuery({ ...latestQuery(id), enabled: can('listLatestDeployments') });
  const { data: domains = [] } = useQuery({
    ...failedDomainsQuery(id),
    enabled: can('listOrganizationDomains'),
  });
  const { data: budgets = [] } = useQuery({ ...budgetsQuery(id), enabled: can('listAiBudgets') });
  const failing = feeds.filter(({ error }) => error !== null).length;
  return [
    ...keys
      .filter((key) => statusOf(key) !== 'active')
      .map((key) => ({
        text: `The key “${key.name}” ${statusOf(key) === 'expired' ? 'has expired' : 'expires within a week'}`,
        action: 'View key',
        link: { to: '/o/$slug/keys/$keyId' as const, params: { slug, keyId: key.id } },
      })),
    ...latest
      .filter(({ latest: last }) => last.status === 'FAILED')
      .map(({ applicationId, applicationName, latest: last }) => ({
        text: `The last deployment of “${applicationName}” failed`,
        action: 'View log',
        link: {
          to: '/o/$slug/apps/$applicationId/deployments/$deploymentId' as const,
          params: { slug, applicationId, deploymentId: last.id },
        },
      })),
    ...domains.map(({ domain, applicationId }) => ({
      text: `The domain ${domain} does not resolve to its application`,
      action: 'View records',
      link: { to: '/o/$slug/apps/$applicationId/domains' as const, params: { slug, applicationId } },
    })),
    ...budgets.filter(isNearlySpent).map((budget) => ({
      text: `${budgetName(budget)} is ${Math.floor(shareOf(budget) * 100)} % used`,
      action: 'View budgets',
      link: { to: '/o/$slug/ai/budgets' as const, params: { slug } },
    })),
    ...(invitations.length > 0
      ? [
          {
            text: `${counted(invitations.length, 'invitation')} not accepted yet`,
            action: 'View invitations',
            link: { to: '/o/$slug/members' as const, params: { slug } },
          },
        ]
      : []),
    ...(failing > 0
      ? [
          {
            text: `${counted(failing, 'threat feed')} could not be updated`,
            action: 'View threat feeds',
            link: { to: '/instance/threat-feeds' as const },
          },
        ]
      : []),
    ...(instance && !instance.mail
      ? [
          {
            text: 'No mail server is configured: invitations and password resets are not sent',
            action: 'View instance',
            link: { to: '/instance' as const },
          },
        ]
      : []),
    ...(instance && instance.waitlist > 0
      ? [
          {
            text: `${counted(instance.waitlist, 'user')} waiting for access`,
            action: 'View waitlist',
            link: { to: '/instance/waitlist' as const },
          },
        ]
      : []),
  ];
}
