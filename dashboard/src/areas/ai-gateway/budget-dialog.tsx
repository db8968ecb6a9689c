import type { AiBudget } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Refused } from '#api/errors.ts';
import { withBudget } from '#areas/ai-gateway/budget-change.ts';
import { aiPath, applicationNamesQuery, budgetsQuery, modelKeysQuery } from '#areas/ai-gateway/data.ts';
import { dollarsOf, microsOf } from '#areas/ai-gateway/money.ts';
import { everyMemberQuery } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

interface Values {
  /** `organization`, or `application:<id>`, `user:<id>`, `key:<id>`. */
  subject: string;
  period: AiBudget['period'];
  cost: string;
  requests: string;
  tokens: string;
  requestCost: string;
  enabled: boolean;
}

export function BudgetDialog({ budget, onClose }: { budget?: AiBudget; onClose: () => void }) {
  const { id } = useOrganization();
  const client = useQueryClient();
  const { data: applications = [] } = useQuery(applicationNamesQuery(id));
  const { data: members = [] } = useQuery(everyMemberQuery(id));
  const can = useCan();
  const { data: keys = [] } = useQuery({ ...modelKeysQuery(id), enabled: can('listApiKeys') });
  const form = useAppForm({
    defaultValues: {
      subject: subjectOf(budget),
      period: budget?.period ?? 'month',
      cost: dollarsOf(budget?.maxCostMicros),
      requests: String(budget?.maxRequests ?? ''),
      tokens: String(budget?.maxTokens ?? ''),
      requestCost: dollarsOf(budget?.maxRequestCostMicros),
      enabled: budget?.enabled ?? true,
    } as Values,
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        const wrong = wrongNumber(values);
        if (wrong) throw new Refused(`${wrong} is not a number.`);
        if (
          [values.cost, values.requests, values.tokens, values.requestCost].every(
            (text) => text.trim() === '',
          )
        )
          throw new Refused('Set at least one limit.');
        await withBudget(id, budget, bodyOf(values));
        await client.invalidateQueries(budgetsQuery(id));
        toast.done(budget ? 'Budget updated' : 'Budget created');
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title={budget ? 'Edit budget' : 'Create budget'}
      description="Leave a limit empty for no limit."
      form={form}
      submit={budget ? 'Save' : 'Create budget'}
      call={(values: Values) => ({
        method: 'PUT',
        path: `${aiPath(id)}/budgets`,
        body: { budgets: [bodyOf(values)] },
      })}
      onClose={onClose}
    >
      {!budget && (
        <>
          <form.AppField name="subject">
            {(field) => (
              <field.SelectField
                label="For"
                options={[
                  { value: 'organization', label: 'The whole organization' },
                  ...applications.map((one) => ({
                    value: `application:${one.id}`,
                    label: `Application ${one.name}`,
                  })),
                  ...keys.map((one) => ({ value: `key:${one.id}`, label: `API key ${one.name}` })),
                  ...members.map((one) => ({ value: `user:${one.userId}`, label: one.email })),
                ]}
              />
            )}
          </form.AppField>
          <form.AppField name="period">
            {(field) => (
              <field.SelectField
                label="Period"
                options={[
                  { value: 'month', label: 'Calendar month (UTC)' },
                  { value: 'day', label: 'Day (UTC)' },
                ]}
              />
            )}
          </form.AppField>
        </>
      )}
      <form.AppField name="cost">
        {(field) => (
          <field.TextField
            label="Cost in dollars"
            inputMode="decimal"
            placeholder="10.00"
            hint="Requests to models without a price are rejected while this is set."
            autoComplete="off"
          />
        )}
      </form.AppField>
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="requests">
          {(field) => <field.TextField label="Requests" inputMode="numeric" autoComplete="off" />}
        </form.AppField>
        <form.AppField name="tokens">
          {(field) => <field.TextField label="Tokens" inputMode="numeric" autoComplete="off" />}
        </form.AppField>
      </div>
      <form.AppField name="requestCost">
        {(field) => (
          <field.TextField
            label="Cost of one request in dollars"
            inputMode="decimal"
            placeholder="0.50"
            autoComplete="off"
          />
        )}
      </form.AppField>
      <form.AppField name="enabled">
        {(field) => (
          <field.CheckboxField
            label="Enabled"
            hint="If disabled, usage is counted but requests are never rejected."
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}

function subjectOf(budget: AiBudget | undefined): string {
  if (budget?.apiKeyId) return `key:${budget.apiKeyId}`;
  if (budget?.userId) return `user:${budget.userId}`;
  return budget?.applicationId ? `application:${budget.applicationId}` : 'organization';
}

const countOf = (text: string) => (text.trim() === '' ? null : Number(text.replaceAll(/[,\s]/g, '')));

function bodyOf({ subject, period, cost, requests, tokens, requestCost, enabled }: Values) {
  const [kind, id = ''] = subject.split(':');
  return {
    ...(kind === 'application' ? { applicationId: id } : {}),
    ...(kind === 'user' ? { userId: id } : {}),
    ...(kind === 'key' ? { apiKeyId: id } : {}),
    period,
    maxCostMicros: microsOf(cost),
    maxRequests: countOf(requests),
    maxTokens: countOf(tokens),
    maxRequestCostMicros: microsOf(requestCost),
    enabled,
  };
}

/** JSON has no word for them: they would be sent as null, which is no limit. */
function wrongNumber(values: Values): string | undefined {
  const body = bodyOf(values);
  const numbers = [
    ['The cost', body.maxCostMicros],
    ['The number of requests', body.maxRequests],
    ['The number of tokens', body.maxTokens],
    ['The cost of one request', body.maxRequestCostMicros],
  ] as const;
  return numbers.find(([, value]) => value !== null && !Number.isFinite(value))?.[0];
}
