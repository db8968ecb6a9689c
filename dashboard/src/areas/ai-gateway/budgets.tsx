import type { AiBudget } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, Wallet } from 'lucide-react';
import { useState } from 'react';
import { countText, microsText } from '#api/numbers.ts';
import { AiTabs } from '#areas/ai-gateway/ai-tabs.tsx';
import { withoutBudget } from '#areas/ai-gateway/budget-change.ts';
import { BudgetDialog } from '#areas/ai-gateway/budget-dialog.tsx';
import { aiPath, applicationNamesQuery, budgetsQuery, modelKeysQuery } from '#areas/ai-gateway/data.ts';
import { costText } from '#areas/ai-gateway/money.ts';
import { everyMemberQuery } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { LimitBar } from '#ui/limit-bar.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { toast } from '#ui/toast.ts';

const route = getRouteApi('/signed-in/o/$slug/ai/budgets');

/** What may be spent in a day or a month, with how much of it is used. */
export function Budgets() {
  const { id } = useOrganization();
  const can = useCan();
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(budgetsQuery(id));
  const canChange = can('replaceAiBudgets');
  const setCreating = (isCreating: boolean) =>
    void navigate({ search: isCreating ? { create: true } : {}, replace: !isCreating });
  useHotkey('c', 'Create budget', () => canChange && setCreating(true));
  const path = `${aiPath(id)}/budgets`;
  const add = canChange && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create budget
    </Button>
  );
  return (
    <>
      <PageHeader
        title="AI budgets"
        description="The maximum cost of a request is reserved before it is sent, so budgets are never exceeded. Admins receive an e-mail at 50, 80 and 100%."
        call={{ method: 'GET', path }}
        {...(data?.length ? { actions: add } : {})}
      />
      <AiTabs />
      {error && <TryAgain error={error} refetch={refetch} />}
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data?.length === 0 && (
        <EmptyState
          icon={<Wallet />}
          title="No budgets"
          action={add}
          call={{ method: 'PUT', path, body: { budgets: [{ period: 'month', maxCostMicros: 10_000_000 }] } }}
        >
          Without a budget, usage is unlimited. Set a daily or monthly limit for the organization, an
          application, an API key or a user.
        </EmptyState>
      )}
      <div className="space-y-4">
        {data?.map((budget) => (
          <BudgetCard key={budget.id} budget={budget} canChange={canChange} />
        ))}
      </div>
      {create && canChange && <BudgetDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function BudgetCard({ budget, canChange }: { budget: AiBudget; canChange: boolean }) {
  const { organizationId, used, maxRequestCostMicros } = budget;
  const client = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const title = useSubject(budget);
  const limits = [
    { label: 'Cost', used: used.costMicros, limit: budget.maxCostMicros, text: costText, title: microsText },
    { label: 'Requests', used: used.requests, limit: budget.maxRequests, text: countText },
    { label: 'Tokens', used: used.tokens, limit: budget.maxTokens, text: countText },
  ].filter(({ limit }) => limit !== null);
  return (
    <Card
      title={title}
      description={
        <>
          {budget.period === 'day' ? 'Each UTC day' : 'Each calendar month (UTC)'}; resets{' '}
          <RelativeTime time={budget.windowEnd} />
          {maxRequestCostMicros !== null && (
            <>. One request may cost {costText(maxRequestCostMicros)} at most</>
          )}
          .
        </>
      }
      actions={budget.enabled ? undefined : <StatusBadge status="disabled" />}
      footer={
        canChange && (
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => setOpen('edit')}>
              Edit
            </Button>
            <Button size="sm" look="danger" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </div>
        )
      }
    >
      <div className="space-y-4">
        {limits.map((limit) => (
          <LimitBar warns key={limit.label} {...limit} limit={limit.limit ?? 0} />
        ))}
        {limits.length === 0 && (
          <p className="text-muted">
            {costText(used.costMicros)} and {countText(used.requests)} requests so far.
          </p>
        )}
      </div>
      {open === 'edit' && <BudgetDialog budget={budget} onClose={() => setOpen(undefined)} />}
      <ConfirmDialog
        open={open === 'delete'}
        onClose={() => setOpen(undefined)}
        title={`Delete the budget of ${title}?`}
        action="Delete budget"
        onConfirm={async () => {
          await withoutBudget(budget);
          await client.invalidateQueries(budgetsQuery(organizationId));
          toast.done('Budget deleted');
        }}
      >
        This limit no longer applies.
      </ConfirmDialog>
    </Card>
  );
}

/** Whom a budget is for, by name. */
function useSubject({ organizationId, applicationId, userId, apiKeyId }: AiBudget): string {
  const applications = useQuery({
    ...applicationNamesQuery(organizationId),
    enabled: applicationId !== null,
  });
  const members = useQuery({ ...everyMemberQuery(organizationId), enabled: userId !== null });
  const can = useCan();
  const keys = useQuery({
    ...modelKeysQuery(organizationId),
    enabled: apiKeyId !== null && can('listApiKeys'),
  });
  if (apiKeyId !== null) return `API key ${keys.data?.find(({ id }) => id === apiKeyId)?.name ?? apiKeyId}`;
  if (userId !== null) return members.data?.find((one) => one.userId === userId)?.email ?? `User ${userId}`;
  if (applicationId !== null)
    return applications.data?.find(({ id }) => id === applicationId)?.name ?? `Application ${applicationId}`;
  return 'Organization';
}
