import type { AiPolicy } from '@mainstay/sdk';
import { api } from '#api/client.ts';
import { Refused } from '#api/errors.ts';
import { aiPath, type PolicySubject } from '#areas/ai-gateway/data.ts';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

const builtIn = ['card', 'api_key', 'email'] as const;
type BuiltIn = (typeof builtIn)[number];
const found: Record<BuiltIn, string> = {
  card: 'Payment cards',
  api_key: 'Keys and tokens',
  email: 'E-mail addresses',
};

interface Values {
  allowedModels: string;
  allowedProviders: string;
  requireZdr: boolean;
  allowFallbacks: boolean;
  maxOutputTokens: string;
  requestsPerMinute: string;
  tokensPerMinute: string;
  card: string;
  api_key: string;
  email: string;
  patterns: string;
  webhookUrl: string;
  cacheTtlSeconds: string;
}

interface PolicyDialogProps {
  organizationId: string;
  of: PolicySubject;
  subject: string;
  policy: AiPolicy | null;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}

export function PolicyDialog({ organizationId, of, subject, policy, onClose, onSaved }: PolicyDialogProps) {
  // Rules that the form has no field for are kept as they are.
  const kept = policy?.guardrails.filter((rule) => !isInForm(rule)) ?? [];
  const bodyOf = (values: Values) => ({ ...of, ...rulesOf(values, kept, policy) });
  const form = useAppForm({
    defaultValues: valuesOf(policy),
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        if (bounds.some((name) => Number.isNaN(Number(values[name]))))
          throw new Refused('Limits must be numbers.');
        await api.aiGateway.replacePolicy(organizationId, bodyOf(values));
        await onSaved();
        toast.done('Policy saved');
        onClose();
      }),
    },
  });
  const actions = [
    { value: '', label: 'Not checked' },
    { value: 'redact', label: 'Redact' },
    { value: 'refuse', label: 'Refuse' },
  ];
  return (
    <FormDialog
      wide
      title={`Policy of ${subject}`}
      form={form}
      submit="Save policy"
      call={(values: Values) => ({
        method: 'PUT',
        path: `${aiPath(organizationId)}/policies`,
        body: bodyOf(values),
      })}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="allowedModels">
          {(field) => (
            <field.TextAreaField
              label="Allowed models"
              mono
              rows={3}
              placeholder={'openai/gpt-4o*\nanthropic/*'}
              hint="One per line; * is a wildcard. Leave empty for all."
            />
          )}
        </form.AppField>
        <form.AppField name="allowedProviders">
          {(field) => (
            <field.TextAreaField
              label="Allowed providers"
              mono
              rows={3}
              placeholder="openai"
              hint="Slugs, one per line. Leave empty for all."
            />
          )}
        </form.AppField>
      </div>
      <form.AppField name="requireZdr">
        {(field) => (
          <field.CheckboxField
            label="Require zero data retention"
            hint="Only use providers that have agreed to it."
          />
        )}
      </form.AppField>
      <form.AppField name="allowFallbacks">
        {(field) => (
          <field.CheckboxField
            label="Allow fallbacks"
            hint="Use another provider when the first one fails."
          />
        )}
      </form.AppField>
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="maxOutputTokens">
          {(field) => (
            <field.TextField label="Maximum output tokens" inputMode="numeric" autoComplete="off" />
          )}
        </form.AppField>
        <form.AppField name="cacheTtlSeconds">
          {(field) => (
            <field.TextField
              label="Cache responses for (seconds)"
              inputMode="numeric"
              hint="Leave empty to let the request decide; 0 disables caching."
              autoComplete="off"
            />
          )}
        </form.AppField>
        <form.AppField name="requestsPerMinute">
          {(field) => <field.TextField label="Requests per minute" inputMode="numeric" autoComplete="off" />}
        </form.AppField>
        <form.AppField name="tokensPerMinute">
          {(field) => <field.TextField label="Tokens per minute" inputMode="numeric" autoComplete="off" />}
        </form.AppField>
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        {builtIn.map((type) => (
          <form.AppField key={type} name={type}>
            {(field) => <field.SelectField label={found[type]} options={actions} />}
          </form.AppField>
        ))}
      </div>
      <form.AppField name="patterns">
        {(field) => (
          <field.TextAreaField
            label="Patterns to redact"
            mono
            rows={2}
            placeholder="(?i)project falcon"
            hint="RE2 regular expressions, one per line, matched against requests and responses."
          />
        )}
      </form.AppField>
      <form.AppField name="webhookUrl">
        {(field) => (
          <field.TextField
            label="Webhook"
            mono
            type="url"
            placeholder="https://guard.example.com/check"
            hint="Asked before a request is forwarded and before its response is returned."
            autoComplete="off"
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}

type Guardrail = AiPolicy['guardrails'][number];

/** The form sets rules for both ways; patterns of the form redact. */
const isInForm = ({ type, on, action }: Guardrail) =>
  on === 'both' && (type !== 'pattern' || action === 'redact');

function valuesOf(policy: AiPolicy | null): Values {
  const rules = policy?.guardrails.filter(isInForm) ?? [];
  const actionOf = (type: BuiltIn) => rules.find((rule) => rule.type === type)?.action ?? '';
  return {
    allowedModels: policy?.allowedModels?.join('\n') ?? '',
    allowedProviders: policy?.allowedProviders?.join('\n') ?? '',
    requireZdr: policy?.requireZdr ?? false,
    allowFallbacks: policy?.allowFallbacks ?? true,
    maxOutputTokens: String(policy?.maxOutputTokens ?? ''),
    requestsPerMinute: String(policy?.requestsPerMinute ?? ''),
    tokensPerMinute: String(policy?.tokensPerMinute ?? ''),
    card: actionOf('card'),
    api_key: actionOf('api_key'),
    email: actionOf('email'),
    patterns: rules.flatMap(({ pattern }) => pattern ?? []).join('\n'),
    webhookUrl: policy?.webhookUrl ?? '',
    cacheTtlSeconds: String(policy?.cacheTtlSeconds ?? ''),
  };
}

/** JSON would send what is no number as null, which is no bound. */
const bounds = ['maxOutputTokens', 'requestsPerMinute', 'tokensPerMinute', 'cacheTtlSeconds'] as const;

function rulesOf(values: Values, kept: readonly Guardrail[], policy: AiPolicy | null) {
  // None allowed and all allowed look the same in the form: what forbade everything continues to do so.
  const list = (text: string, before: string[] | null | undefined) => {
    const patterns = text.split(/\s+/).filter(Boolean);
    return patterns.length > 0 || before?.length === 0 ? patterns : null;
  };
  const count = (text: string) => (text.trim() === '' ? null : Number(text));
  const guardrails: Guardrail[] = [
    ...builtIn.flatMap((type) =>
      values[type] === '' ? [] : { type, on: 'both' as const, action: values[type] as Guardrail['action'] },
    ),
    ...values.patterns
      .split('\n')
      .filter((pattern) => pattern.trim() !== '')
      .map((pattern) => ({
        type: 'pattern' as const,
        pattern,
        on: 'both' as const,
        action: 'redact' as const,
      })),
    ...kept,
  ];
  return {
    allowedModels: list(values.allowedModels, policy?.allowedModels),
    allowedProviders: list(values.allowedProviders, policy?.allowedProviders),
    requireZdr: values.requireZdr,
    allowFallbacks: values.allowFallbacks,
    maxOutputTokens: count(values.maxOutputTokens),
    requestsPerMinute: count(values.requestsPerMinute),
    tokensPerMinute: count(values.tokensPerMinute),
    guardrails,
    webhookUrl: values.webhookUrl.trim() === '' ? null : values.webhookUrl.trim(),
    cacheTtlSeconds: count(values.cacheTtlSeconds),
  };
}
