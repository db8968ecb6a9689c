import type { DomainExplanation, EmailReputation } from '@mainstay/sdk';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOrganization } from '#areas/organizations/data.ts';
import { StatusBadge } from '#areas/reputation/status-badge.tsx';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/facts.tsx';

const techniques = {
  wrong_tld: 'another top-level domain',
  homoglyph: 'look-alike letters',
  typo: 'a typo',
  hyphenation: 'hyphens',
  combosquatting: 'added words',
  subdomain: 'the name as a subdomain',
};

function Verdict({ isWithheld }: { isWithheld: boolean }) {
  return isWithheld ? (
    <strong className="font-medium text-danger">Not recommended</strong>
  ) : (
    <span className="text-success">No objection</span>
  );
}

export function DomainCard({ answer }: { answer: DomainExplanation }) {
  const { domain, status, withholdingRecommended, override, listed, imitates } = answer;
  return (
    <Card title={domain} actions={<StatusOf status={status} isWithheld={withholdingRecommended} />}>
      <Facts
        facts={[
          ['Recommendation', <Verdict key="verdict" isWithheld={withholdingRecommended} />],
          [
            'Override',
            override &&
              `${override.action === 'block' ? 'Blocked' : 'Allowed'} by ${override.by === 'operator' ? 'the operators' : 'your organization'}, as ${override.domain}${override.note ? `: ${override.note}` : ''}`,
          ],
          [
            'Threat feeds',
            listed && (
              <ul key="lists" className="space-y-1">
                {listed.feeds.map(({ feed, since, status: as }) => (
                  <li key={feed} className="flex flex-wrap items-center gap-x-2">
                    <span className="font-mono text-xs">{feed}</span>
                    <StatusBadge status={as} />
                    <span className="text-faint">since {since}</span>
                  </li>
                ))}
              </ul>
            ),
          ],
          ['Listed as', listed && listed.name !== domain && listed.name],
          ['Imitates', imitates && `${imitates.domain}, by ${techniques[imitates.technique]}`],
        ].map(([name, value]) => [name as string, (value || null) as ReactNode])}
      />
    </Card>
  );
}

export function EmailCard({ answer }: { answer: EmailReputation & { suggestion: string | null } }) {
  const { slug } = useOrganization();
  const { email, role, domain, validations, suggestion } = answer;
  const { regex, typo, mx } = validations.validators;
  return (
    <Card
      title={email}
      actions={
        <StatusOf status={domain.status} isWithheld={domain.withholdingRecommended || !validations.valid} />
      }
    >
      <Facts
        facts={[
          [
            'Recommendation',
            <Verdict key="verdict" isWithheld={domain.withholdingRecommended || !validations.valid} />,
          ],
          [
            'Did you mean',
            suggestion && (
              <Link
                to="/o/$slug/lookups"
                params={{ slug }}
                search={{ names: suggestion }}
                className="font-medium text-accent-text hover:underline"
              >
                {suggestion}
              </Link>
            ),
          ],
          ['Format', <Yes key="regex" is={regex.valid} yes="Format valid" no="Format not valid" />],
          ['Spelling', <Yes key="typo" is={typo.valid} yes="No typo detected" no="Typo detected" />],
          ['Delivery', <Yes key="mx" is={mx.valid} yes="Accepts mail" no="Does not accept mail" />],
          ['Mailbox', role ? 'Role address, such as support@' : 'Personal mailbox'],
        ]}
      />
    </Card>
  );
}

/** "Neutral" says nothing beside a recommendation against it, which has other reasons. */
function StatusOf({ status, isWithheld }: { status: DomainExplanation['status']; isWithheld: boolean }) {
  return status === 'neutral' && isWithheld ? null : <StatusBadge status={status} />;
}

function Yes({ is, yes, no }: { is: boolean; yes: string; no: string }) {
  return is ? (
    <span className="inline-flex items-center gap-1 text-success">
      <Check aria-hidden className="size-4" />
      {yes}
    </span>
  ) : (
    <span className="inline-flex items-center gap-1 text-danger">
      <X aria-hidden className="size-4" />
      {no}
    </span>
  );
}
