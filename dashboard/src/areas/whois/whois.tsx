import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import { isStatus, sentenceOf } from '#api/errors.ts';
import { searchText } from '#api/pages.ts';
import { LookupHeader } from '#areas/reputation/lookup-tabs.tsx';
import { rawQuery, recordQuery } from '#areas/whois/data.ts';
import { RecordCards } from '#areas/whois/record-cards.tsx';
import { Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorNotice, Notice } from '#ui/error-notice.tsx';
import { BesideJson, LookUp } from '#ui/look-up.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const route = getRouteApi('/signed-in/o/$slug/lookups/whois');

export function Whois() {
  const { domain, raw } = route.useSearch();
  const navigate = route.useNavigate();
  const { isFetching } = useQuery({ ...recordQuery(domain ?? ''), enabled: domain !== undefined && !raw });
  return (
    <>
      <LookupHeader
        call={domain ? { method: 'GET', path: `/whois/domain${searchText({ domain, raw })}` } : undefined}
      />
      <div className="mb-6">
        <LookUp
          label="Look up a domain"
          placeholder="example.com"
          value={domain ?? ''}
          busy={isFetching}
          onLookUp={(name) => void navigate({ search: { domain: name, ...(raw ? { raw } : {}) } })}
        />
      </div>
      {domain === undefined ? (
        <EmptyState
          icon={<Globe />}
          title="Look up the registration of a domain"
          call={{ method: 'GET', path: '/whois/domain?domain=example.com' }}
        >
          Unicode or punycode. A subdomain returns the record of its registrable domain. Fields are normalized
          across registries.
        </EmptyState>
      ) : (
        <>
          <div className="mb-3 flex justify-end">
            <Button
              size="sm"
              onClick={() => void navigate({ search: { domain, ...(raw ? {} : { raw: true }) } })}
            >
              {raw ? 'Show record' : 'Show raw text'}
            </Button>
          </div>
          {raw ? <Raw domain={domain} /> : <Record domain={domain} />}
        </>
      )}
    </>
  );
}

function Record({ domain }: { domain: string }) {
  const { data, error } = useQuery(recordQuery(domain));
  if (error) return <Refusal error={error} />;
  if (!data) return <Skeleton className="h-96 w-full" />;
  return (
    <BesideJson json={data} label="API response">
      <RecordCards record={data} />
    </BesideJson>
  );
}

function Raw({ domain }: { domain: string }) {
  const { data, error } = useQuery(rawQuery(domain));
  if (error) return <Refusal error={error} />;
  if (data === undefined) return <Skeleton className="h-96 w-full" />;
  return <CodeBlock code={data} label="Raw text of the registry" />;
}

/** That nobody has registered a name is an answer too. */
function Refusal({ error }: { error: Error }) {
  return isStatus(error, 404) ? <Notice>{sentenceOf(error)}</Notice> : <ErrorNotice error={error} />;
}
