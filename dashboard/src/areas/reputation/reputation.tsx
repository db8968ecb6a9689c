import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { searchText } from '#api/pages.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { DomainCard, EmailCard } from '#areas/reputation/answer-cards.tsx';
import { domainsQuery, emailsQuery } from '#areas/reputation/data.ts';
import { LookupHeader } from '#areas/reputation/lookup-tabs.tsx';
import { namesOf } from '#areas/whois/data.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { BesideJson, LookUp } from '#ui/look-up.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const route = getRouteApi('/signed-in/o/$slug/lookups');

export function Reputation() {
  const { id: organizationId } = useOrganization();
  const { names: text = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const names = namesOf(text);
  const email = names.filter((name) => name.includes('@'));
  const domain = names.filter((name) => !name.includes('@'));
  const domains = useQuery(domainsQuery(organizationId, domain));
  const emails = useQuery(emailsQuery(organizationId, email));
  const error = domains.error ?? emails.error;
  const isPending = (domain.length > 0 && !domains.data) || (email.length > 0 && !emails.data);
  const path =
    email.length > 0
      ? `/web-reputation/email${searchText({ email, organizationId })}`
      : `/web-reputation/domain/explanation${searchText({ domain, organizationId })}`;
  return (
    <>
      <LookupHeader call={names.length > 0 ? { method: 'GET', path } : undefined} />
      <div className="mb-6">
        <LookUp
          label="Domains or e-mail addresses"
          placeholder="example.com or somebody@example.com"
          value={text}
          busy={domains.isFetching || emails.isFetching}
          hint="Up to five of each, separated by spaces or commas."
          onLookUp={(next) => void navigate({ search: { names: namesOf(next).join(' ') } })}
        />
      </div>
      {names.length === 0 && (
        <EmptyState
          icon={<ShieldCheck />}
          title="Look up a domain or an e-mail address"
          call={{ method: 'GET', path: '/web-reputation/email?email=somebody@example.com' }}
        >
          Domains: phishing, malware, spam, disposable e-mail and look-alikes of well-known names. E-mail
          addresses: whether they accept mail, belong to a role, or contain a typo.
        </EmptyState>
      )}
      {error && <ErrorNotice error={error} />}
      {names.length > 0 && isPending && !error && <Skeleton className="h-64 w-full" />}
      {!error && !isPending && names.length > 0 && (
        <BesideJson json={[...(emails.data ?? []), ...(domains.data ?? [])]} label="API response">
          {emails.data?.map((answer) => (
            <EmailCard key={answer.email} answer={answer} />
          ))}
          {domains.data?.map((answer) => (
            <DomainCard key={answer.domain} answer={answer} />
          ))}
        </BesideJson>
      )}
    </>
  );
}
