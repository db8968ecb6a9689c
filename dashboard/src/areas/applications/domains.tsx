import type { Domain } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { useApplication } from '#areas/applications/data.ts';
import { HostnameCard } from '#areas/applications/hostname-card.tsx';
import { domainsQuery, hostnamesQuery } from '#areas/applications/queries.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { toast } from '#ui/toast.ts';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/domains');

export function Domains() {
  const application = useApplication();
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const canAdd = useCan()('addDomain');
  const query = useQuery(domainsQuery(application.id));
  const open = (isOpen: boolean) => void navigate({ search: isOpen ? { create: true } : {} });
  const path = `/applications/${application.id}/domains`;
  const button = canAdd && (
    <Button look="primary" onClick={() => open(true)}>
      <Plus aria-hidden />
      Add domain
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Domains"
        description={`Where ${application.name} answers.`}
        call={{ method: 'GET', path }}
        actions={button}
      />
      <div className="space-y-4">
        <HostnameCard />
        <Pending query={query} className="h-40" />
        {query.data?.length === 0 && (
          <EmptyState
            icon={<Globe />}
            title="No custom domains yet"
            call={{ method: 'POST', path, body: { domain: 'www.example.com' } }}
          >
            Add a domain and create the DNS record that is shown. The domain is then verified automatically.
          </EmptyState>
        )}
        {query.data?.map((domain) => (
          <DomainCard key={domain.id} domain={domain} />
        ))}
      </div>
      {create && canAdd && <AddDomainDialog onClose={() => open(false)} />}
    </>
  );
}

function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const application = useApplication();
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: { domain: '' },
    validators: {
      onSubmitAsync: sending(async (body: { domain: string }) => {
        const { domain, state } = await api.domains.add(application.id, body);
        await client.invalidateQueries({ queryKey: domainsQuery(application.id).queryKey });
        toast.done(state === 'verified' ? `${domain} verified` : `${domain} added`);
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title="Add domain"
      description="The next step shows the DNS record to create."
      form={form}
      submit="Add domain"
      call={(body: { domain: string }) => ({
        method: 'POST',
        path: `/applications/${application.id}/domains`,
        body,
      })}
      onClose={onClose}
    >
      <form.AppField name="domain">
        {(field) => (
          <field.TextField
            label="Domain"
            mono
            placeholder="www.example.com"
            autoComplete="off"
            autoFocus
            required
            hint="example.com, www.example.com or *.example.com"
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}

function DomainCard({ domain }: { domain: Domain }) {
  const application = useApplication();
  const client = useQueryClient();
  const can = useCan();
  const [isDeleting, setDeleting] = useState(false);
  const path = `/applications/${application.id}/domains/${domain.id}`;
  const refresh = [domainsQuery(application.id).queryKey, hostnamesQuery(application.id).queryKey];
  const check = useAction({
    run: () => api.domains.check(application.id, domain.id),
    refresh,
    done: ({ state, problem }) =>
      state === 'verified' ? `${domain.domain} verified` : (problem ?? 'Checked'),
  });
  const remove = async () => {
    await api.domains.delete(application.id, domain.id);
    await Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })));
    toast.done(`${domain.domain} deleted`);
  };
  return (
    <Card
      title={domain.domain}
      description={
        domain.checkedAt === null ? (
          'Not checked yet'
        ) : (
          <>
            Looked up <RelativeTime time={domain.checkedAt} />
          </>
        )
      }
      actions={<StatusBadge status={domain.state} />}
      footer={
        can('checkDomain') && (
          <>
            <Button size="sm" look="ghost" onClick={() => setDeleting(true)}>
              Delete<span className="sr-only"> {domain.domain}</span>
            </Button>
            <Button size="sm" busy={check.isPending} onClick={() => check.mutate()}>
              Check now<span className="sr-only"> {domain.domain}</span>
            </Button>
          </>
        )
      }
    >
      {domain.problem !== null && (
        <div className="mb-4">
          <Notice tone="warning">{domain.problem}</Notice>
        </div>
      )}
      <Records domain={domain} />
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${domain.domain}?`}
        action="Delete domain"
        onConfirm={remove}
        call={{ method: 'DELETE', path }}
      >
        The application immediately stops serving this domain.
      </ConfirmDialog>
    </Card>
  );
}

type DnsRecord = Domain['records'][number];

const purposes = {
  proof: 'Verifies ownership',
  traffic: 'Routes traffic',
  proof_and_traffic: 'Routes traffic and verifies ownership',
} satisfies Record<DnsRecord['purpose'], string>;

const statuses: Record<DnsRecord['status'], [text: string, tone: Tone]> = {
  set: ['Set', 'success'],
  missing: ['Missing', 'warning'],
  different: ['Different', 'danger'],
  unknown: ['Not checked', 'neutral'],
};

function Records({ domain }: { domain: Domain }) {
  const isEither = domain.records[0]?.purpose === 'proof_and_traffic';
  return (
    <div className="space-y-3">
      {domain.records.map((record, index) => {
        const [text, tone] = statuses[record.status];
        return (
          <div key={record.type + record.name} className="rounded-md border p-3">
            <div className="mb-2 flex flex-wrap items-center gap-2">
              <Badge>{record.type}</Badge>
              <span className="mr-auto text-muted">
                {isEither && index > 0
                  ? `Or: ${purposes[record.purpose].toLowerCase()}`
                  : purposes[record.purpose]}
              </span>
              {/* The second way is not missing while the first one holds. */}
              {!(domain.state === 'verified' && record.status === 'missing') && (
                <Badge tone={tone}>{text}</Badge>
              )}
            </div>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1">
              <dt className="text-faint">Name</dt>
              <dd className="min-w-0">
                <Mono copy>{record.name}</Mono>
              </dd>
              <dt className="text-faint">Value</dt>
              <dd className="min-w-0">
                <Mono copy>{record.value}</Mono>
              </dd>
              {record.found.length > 0 && (
                <>
                  <dt className="text-faint">Found</dt>
                  <dd className="min-w-0 font-mono text-xs wrap-anywhere text-danger">
                    {record.found.join(', ')}
                  </dd>
                </>
              )}
            </dl>
          </div>
        );
      })}
    </div>
  );
}
