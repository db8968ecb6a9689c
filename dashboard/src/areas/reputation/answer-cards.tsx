import type { DomainExplanation, EmailReputation } from '@mainstay/sdk';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOrganization } from '#areas/organizations/data.ts';
import { StatusBadge } from '#areas/reputation/status-badge.tsx';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/facts.tsx';

const techniques = {
  wrong_tld: 'another ending',
  homoglyph: 'letters that look alike',
  typo: 'a slip of the finger',
  hyphenation: 'hyphens',
  combosquatting: 'words put beside the name',
  subdomain: 'the name in front of another domain',
};

function Verdict({ isWithheld }: { isWithheld: boolean }) {
  return isWithheld ? (
    <strong className="font-medium text-danger">Keep away from it</strong>
  ) : (
    <span className="text-success">Nothing speaks against it</span>
  );
}

export function DomainCard({ answer }: { answer: DomainExplanation }) {
  const { domain, status, withholdingRecommended, override, listed, imitates } = answer;
  return (
    <Card title={domain} actions={<StatusBadge status={status} />}>
      <Facts
        facts={[
          ['Advice', <Verdict key="verdict" isWithheld={withholdingRecommended} />],
          [
            'Override',
            override &&
              `${override.action === 'block' ? 'Blocked' : 'Allowed'} by ${override.by === 'operator' ? 'the operators' : 'your organization'}, as ${override.domain}${override.note ? `: ${override.note}` : ''}`,
          ],
          [
            'On lists',
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
          ['Listed name', listed && listed.name !== domain && listed.name],
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
    <Card title={email} actions={<StatusBadge status={domain.status} />}>
      <Facts
        facts={[
          [
            'Advice',
            <Verdict key="verdict" isWithheld={domain.withholdingRecommended || !validations.valid} />,
          ],
          [
            'Meant was',
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
          ['Written right', <Yes key="regex" is={regex.valid} />],
          ['No slip in it', <Yes key="typo" is={typo.valid} />],
          ['Takes mail', <Yes key="mx" is={mx.valid} />],
          ['Whose', role ? 'A function, such as support@' : 'A person, as far as one can tell'],
        ]}
      />
    </Card>
  );
}

function Yes({ is }: { is: boolean }) {
  return is ? (
    <span className="inline-flex items-center gap-1 text-success">
      <Check aria-hidden className="size-4" />
      Yes
    </span>
  ) : (
    <span className="inline-flex items-center gap-1 text-danger">
      <X aria-hidden className="size-4" />
      No
    </span>
  );
}
