import type { AiExplanation } from '@mainstay/sdk';
import { useStore } from '@tanstack/react-form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { microsText } from '#api/numbers.ts';
import { AiTabs } from '#areas/ai-gateway/ai-tabs.tsx';
import { aiPath, applicationNamesQuery } from '#areas/ai-gateway/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/facts.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const paths = ['/chat/completions', '/responses', '/messages', '/embeddings', '/images/generations'] as const;

interface Values {
  path: (typeof paths)[number];
  model: string;
  content: string;
  maxTokens: string;
  requireZdr: boolean;
  /** Empty: none. */
  application: string;
}

/** Which provider a request would be sent to, and why others would not get it, without sending one. */
export function Explain() {
  const { id } = useOrganization();
  const { data: applications = [] } = useQuery(applicationNamesQuery(id));
  const [answer, setAnswer] = useState<AiExplanation>();
  const form = useAppForm({
    defaultValues: {
      ...{ path: '/chat/completions', model: '', content: 'Hello', maxTokens: '' },
      ...{ requireZdr: false, application: '' },
    } as Values,
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        setAnswer(undefined);
        setAnswer(await api.aiGateway.explain(id, bodyOf(values)));
      }),
    },
  });
  const values = useStore(form.store, (state) => state.values);
  return (
    <>
      <PageHeader
        title="Explain an AI request"
        description="See which provider would serve a request, which are fallbacks, and why others are skipped. No request is sent."
        call={{ method: 'POST', path: `${aiPath(id)}/explain`, body: bodyOf(values) }}
      />
      <AiTabs />
      <div className="grid items-start gap-4 lg:grid-cols-[20rem_1fr]">
        <Card title="Request">
          <Form form={form}>
            <form.AppField name="path">
              {(field) => (
                <field.SelectField
                  label="Kind"
                  options={paths.map((value) => ({ value, label: `/ai/v1${value}` }))}
                />
              )}
            </form.AppField>
            <form.AppField name="model">
              {(field) => (
                <field.TextField
                  label="Model or alias"
                  mono
                  required
                  placeholder="openai/gpt-4o"
                  autoComplete="off"
                />
              )}
            </form.AppField>
            <form.AppField name="content">
              {(field) => <field.TextAreaField label="Text" rows={3} />}
            </form.AppField>
            <form.AppField name="maxTokens">
              {(field) => (
                <field.TextField
                  label="Maximum output tokens"
                  inputMode="numeric"
                  hint="Leave empty for the maximum that the model and policies allow."
                  autoComplete="off"
                />
              )}
            </form.AppField>
            <form.AppField name="application">
              {(field) => (
                <field.SelectField
                  label="On behalf of"
                  options={[
                    { value: '', label: 'The organization' },
                    ...applications.map((one) => ({ value: one.id, label: `Application ${one.name}` })),
                  ]}
                />
              )}
            </form.AppField>
            <form.AppField name="requireZdr">
              {(field) => <field.CheckboxField label="Zero data retention only" />}
            </form.AppField>
            <form.AppForm>
              <form.FormError />
              <form.SubmitButton>Explain</form.SubmitButton>
            </form.AppForm>
          </Form>
        </Card>
        {answer && <Answer answer={answer} />}
      </div>
    </>
  );
}

function bodyOf({ path, model, content, maxTokens, requireZdr, application }: Values) {
  const bound = maxTokens.trim() === '' ? undefined : Number(maxTokens);
  const boundName = path === '/responses' ? 'max_output_tokens' : 'max_tokens';
  const isTurns = path === '/chat/completions' || path === '/messages';
  const text = isTurns
    ? { messages: [{ role: 'user', content }] }
    : { [path === '/images/generations' ? 'prompt' : 'input']: content };
  return {
    path,
    body: {
      model: model.trim(),
      ...text,
      ...(bound === undefined ? {} : { [boundName]: bound }),
      ...(requireZdr ? { provider: { require_zdr: true } } : {}),
    },
    ...(application === '' ? {} : { applicationId: application }),
  };
}

const verdicts: Record<AiExplanation['candidates'][number]['verdict'], { tone: Tone; text: string }> = {
  chosen: { tone: 'success', text: 'Serves' },
  fallback: { tone: 'accent', text: 'Fallback' },
  skipped: { tone: 'neutral', text: 'Skipped' },
};

function Answer({ answer: { model, worstCaseMicros, candidates } }: { answer: AiExplanation }) {
  const isServed = candidates.some(({ verdict }) => verdict === 'chosen');
  return (
    <Card title={isServed ? `${model} would serve this request` : 'No provider would serve this request'}>
      <Facts
        facts={[['Maximum cost', worstCaseMicros === null ? 'Not known' : microsText(worstCaseMicros)]]}
      />
      {candidates.length === 0 && (
        <p className="mt-4 text-muted">No configured provider serves this model.</p>
      )}
      <ol aria-label="Candidates" className="mt-4 space-y-3">
        {candidates.map(({ provider, model: served, verdict, rule, reason }) => (
          <li key={`${provider} ${served} ${rule}`} className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
            <Badge tone={verdicts[verdict].tone}>{verdicts[verdict].text}</Badge>
            <span className="font-medium wrap-anywhere">{provider}</span>
            <code className="font-mono text-xs wrap-anywhere">{served}</code>
            {reason !== null && <span className="w-full text-muted wrap-anywhere">{reason}</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}
