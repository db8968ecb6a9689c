import type { StorageBucketSettings } from '@mainstay/sdk';
import { Refused } from '#api/errors.ts';
import type { SettingsCardProps } from '#areas/storage/data.ts';
import { RulesCard } from '#areas/storage/rules-card.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';

type Rule = StorageBucketSettings['lifecycle'][number];

/** What is removed automatically. */
export function LifecycleCard({ settings, path, save }: SettingsCardProps) {
  return (
    <RulesCard<Rule>
      title="Lifecycle"
      description="Objects to remove automatically. Rules are applied about once a day."
      empty="No rules. Objects are kept until they are deleted."
      rules={settings.lifecycle}
      summary={(rule) => (
        <>
          {rule.prefix ? `Keys starting with ${rule.prefix}` : 'All keys'}
          {rule.enabled === false && ' (disabled)'}
          <p className="text-muted">{effectsOf(rule).join('; ')}</p>
        </>
      )}
      save={(lifecycle) => save({ lifecycle })}
      call={(lifecycle) => ({ method: 'PATCH', path, body: { lifecycle } })}
      form={(rule, keep, close) => <LifecycleForm rule={rule} save={keep} onClose={close} />}
    />
  );
}

function effectsOf(rule: Rule): string[] {
  const days = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'day' : 'days'}`;
  const { expireAfterDays, expireOldVersionsAfterDays, keepOldVersions, abortUploadsAfterDays } = rule;
  return [
    ...(rule.tags
      ? [
          `only with the tags ${Object.entries(rule.tags)
            .map((tag) => tag.join('='))
            .join(', ')}`,
        ]
      : []),
    ...(rule.largerThan === undefined ? [] : [`only above ${rule.largerThan.toLocaleString('en')} bytes`]),
    ...(rule.smallerThan === undefined ? [] : [`only below ${rule.smallerThan.toLocaleString('en')} bytes`]),
    ...(expireAfterDays === undefined ? [] : [`objects expire after ${days(expireAfterDays)}`]),
    ...(rule.expireAt === undefined ? [] : [`objects expire from ${rule.expireAt.slice(0, 10)} on`]),
    ...(expireOldVersionsAfterDays === undefined
      ? []
      : [`old versions are removed after ${days(expireOldVersionsAfterDays)}`]),
    ...(keepOldVersions === undefined ? [] : [`the newest ${keepOldVersions} old versions are kept`]),
    ...(rule.removeExpiredMarkers ? ['delete markers without versions are removed'] : []),
    ...(abortUploadsAfterDays === undefined
      ? []
      : [`unfinished uploads are canceled after ${days(abortUploadsAfterDays)}`]),
  ];
}

const numbers = {
  expireAfterDays: 'Objects expire after (days)',
  expireOldVersionsAfterDays: 'Remove old versions after (days)',
  keepOldVersions: 'Old versions to keep',
  abortUploadsAfterDays: 'Cancel unfinished uploads after (days)',
} as const;
type NumberField = keyof typeof numbers;

interface LifecycleValues extends Record<NumberField, string> {
  prefix: string;
  enabled: boolean;
}

/** What the form does not show of a rule (conditions by tag and size) stays as it is. */
function ruleOf(rule: Rule | undefined, { prefix, enabled, ...values }: LifecycleValues): Rule {
  const changed: Rule = { ...rule, prefix, enabled };
  for (const name of Object.keys(numbers) as NumberField[]) {
    const text = values[name].trim();
    if (text === '') delete changed[name];
    else if (/^\d+$/.test(text)) changed[name] = Number(text);
    else throw new Refused(`"${numbers[name]}" must be a whole number.`);
  }
  if (effectsOf(changed).length === 0) throw new Refused('Choose what the rule removes.');
  return changed;
}

function LifecycleForm({
  rule,
  save,
  onClose,
}: {
  rule: Rule | undefined;
  save: (rule: Rule) => Promise<unknown>;
  onClose: () => void;
}) {
  const text = (name: NumberField) => (rule?.[name] === undefined ? '' : String(rule[name]));
  const form = useAppForm({
    defaultValues: {
      prefix: rule?.prefix ?? '',
      enabled: rule?.enabled ?? true,
      expireAfterDays: text('expireAfterDays'),
      expireOldVersionsAfterDays: text('expireOldVersionsAfterDays'),
      keepOldVersions: text('keepOldVersions'),
      abortUploadsAfterDays: text('abortUploadsAfterDays'),
    },
    validators: { onSubmitAsync: sending(async (value: LifecycleValues) => save(ruleOf(rule, value))) },
  });
  return (
    <FormDialog
      title={rule ? 'Edit lifecycle rule' : 'Add lifecycle rule'}
      form={form}
      submit={rule ? 'Save rule' : 'Add rule'}
      onClose={onClose}
    >
      <form.AppField name="prefix">
        {(field) => (
          <field.TextField label="Prefix" mono placeholder="tmp/" hint="Leave empty for all keys." />
        )}
      </form.AppField>
      <div className="grid gap-4 sm:grid-cols-2">
        {(Object.keys(numbers) as NumberField[]).map((name) => (
          <form.AppField key={name} name={name}>
            {(field) => <field.TextField label={numbers[name]} inputMode="numeric" />}
          </form.AppField>
        ))}
      </div>
      <form.AppField name="enabled">{(field) => <field.CheckboxField label="Enabled" />}</form.AppField>
    </FormDialog>
  );
}
