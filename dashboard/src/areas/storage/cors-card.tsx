import type { StorageBucketSettings } from '@mainstay/sdk';
import { Refused } from '#api/errors.ts';
import type { SettingsCardProps } from '#areas/storage/data.ts';
import { RulesCard } from '#areas/storage/rules-card.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';

type Rule = StorageBucketSettings['cors'][number];
const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'] as const;

/** Which pages of other origins may read from the bucket. */
export function CorsCard({ settings, path, save }: SettingsCardProps) {
  return (
    <RulesCard<Rule>
      title="CORS"
      description="Which origins can read and write objects from a browser. The first matching rule applies."
      empty="No rules. Any origin can read objects that it has a URL for."
      rules={settings.cors}
      summary={(rule) => (
        <>
          {rule.allowedOrigins.join(', ')}
          <p className="text-muted">{rule.allowedMethods.join(', ')}</p>
        </>
      )}
      save={(cors) => save({ cors })}
      call={(cors) => ({ method: 'PATCH', path, body: { cors } })}
      form={(rule, keep, close) => <CorsForm rule={rule} save={keep} onClose={close} />}
    />
  );
}

interface CorsValues {
  allowedOrigins: string;
  allowedHeaders: string;
  exposeHeaders: string;
  maxAgeSeconds: string;
  GET: boolean;
  HEAD: boolean;
  PUT: boolean;
  POST: boolean;
  DELETE: boolean;
}

/** One a line, or separated by commas. */
function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

function ruleOf(values: CorsValues): Rule {
  const allowedMethods = methods.filter((method) => values[method]);
  if (allowedMethods.length === 0) throw new Refused('Choose at least one method.');
  const age = values.maxAgeSeconds.trim();
  return {
    allowedOrigins: listOf(values.allowedOrigins),
    allowedMethods,
    allowedHeaders: listOf(values.allowedHeaders),
    exposeHeaders: listOf(values.exposeHeaders),
    ...(age === '' ? {} : { maxAgeSeconds: Number(age) }),
  };
}

function CorsForm({
  rule,
  save,
  onClose,
}: {
  rule: Rule | undefined;
  save: (rule: Rule) => Promise<unknown>;
  onClose: () => void;
}) {
  const allows = (method: (typeof methods)[number]) =>
    (rule?.allowedMethods ?? ['GET', 'HEAD']).includes(method);
  const form = useAppForm({
    defaultValues: {
      allowedOrigins: rule?.allowedOrigins.join('\n') ?? '',
      allowedHeaders: (rule?.allowedHeaders ?? []).join(', '),
      exposeHeaders: (rule?.exposeHeaders ?? ['ETag']).join(', '),
      maxAgeSeconds: rule?.maxAgeSeconds === undefined ? '' : String(rule.maxAgeSeconds),
      GET: allows('GET'),
      HEAD: allows('HEAD'),
      PUT: allows('PUT'),
      POST: allows('POST'),
      DELETE: allows('DELETE'),
    },
    validators: { onSubmitAsync: sending(async (value: CorsValues) => save(ruleOf(value))) },
  });
  return (
    <FormDialog
      title={rule ? 'Edit CORS rule' : 'Add CORS rule'}
      form={form}
      submit={rule ? 'Save rule' : 'Add rule'}
      onClose={onClose}
    >
      <form.AppField name="allowedOrigins">
        {(field) => (
          <field.TextAreaField
            label="Allowed origins"
            mono
            rows={3}
            required
            placeholder="https://app.example.com"
            hint="One per line; * is a wildcard: https://*.example.com"
          />
        )}
      </form.AppField>
      <fieldset>
        <legend className="mb-1.5 font-medium">Allowed methods</legend>
        <div className="flex flex-wrap gap-4">
          {methods.map((method) => (
            <form.AppField key={method} name={method}>
              {(field) => <field.CheckboxField label={method} />}
            </form.AppField>
          ))}
        </div>
      </fieldset>
      <form.AppField name="allowedHeaders">
        {(field) => (
          <field.TextField label="Allowed request headers" mono hint="Separated by commas; * for all." />
        )}
      </form.AppField>
      <form.AppField name="exposeHeaders">
        {(field) => <field.TextField label="Exposed response headers" mono hint="Separated by commas." />}
      </form.AppField>
      <form.AppField name="maxAgeSeconds">
        {(field) => (
          <field.TextField label="Browser cache duration (seconds)" inputMode="numeric" placeholder="3600" />
        )}
      </form.AppField>
    </FormDialog>
  );
}
