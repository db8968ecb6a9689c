import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '#api/action.ts';
import type { ApiCall } from '#api/snippets.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';

interface RulesCardProps<Rule> {
  title: string;
  description: string;
  /** What stands in the place of rules where there are none. */
  empty: string;
  rules: readonly Rule[];
  /** In a line or two. */
  summary: (rule: Rule) => ReactNode;
  /** Saves all of them: the API replaces the list. */
  save: (rules: Rule[]) => Promise<unknown>;
  call: (rules: readonly Rule[]) => ApiCall;
  /** Of one rule; undefined: of a new one. */
  form: (rule: Rule | undefined, save: (rule: Rule) => Promise<unknown>, close: () => void) => ReactNode;
}

/** Rules of a bucket, in order: each is added, changed and deleted by itself. */
export function RulesCard<Rule>(props: RulesCardProps<Rule>) {
  const { title, description, empty, rules, summary, save, call, form } = props;
  const [edited, setEdited] = useState<number>();
  const [deleted, setDeleted] = useState<number>();
  const remove = useAction({
    run: (at: number) => save(rules.filter((_, index) => index !== at)),
    quiet: true,
  });
  const close = () => setEdited(undefined);
  return (
    <Card
      title={title}
      description={description}
      call={() => call(rules)}
      actions={
        <Button size="sm" onClick={() => setEdited(rules.length)}>
          <Plus aria-hidden />
          Add rule
        </Button>
      }
    >
      {rules.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <ol className="divide-y">
          {rules.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no ids; their place is what they are known by.
            <li key={at} className="flex flex-wrap items-center justify-between gap-3 py-2.5">
              <div className="min-w-0 flex-1 wrap-anywhere">{summary(rule)}</div>
              <div className="flex gap-2">
                <Button size="sm" aria-label={`Edit rule ${at + 1}`} onClick={() => setEdited(at)}>
                  Edit
                </Button>
                <Button size="sm" aria-label={`Delete rule ${at + 1}`} onClick={() => setDeleted(at)}>
                  Delete
                </Button>
              </div>
            </li>
          ))}
        </ol>
      )}
      {edited !== undefined &&
        form(
          rules[edited],
          async (rule) => {
            await save(edited < rules.length ? rules.with(edited, rule) : [...rules, rule]);
            close();
          },
          close,
        )}
      {deleted !== undefined && (
        <ConfirmDialog
          open
          onClose={() => setDeleted(undefined)}
          title="Delete rule"
          action="Delete rule"
          onConfirm={() => remove.mutateAsync(deleted)}
        >
          {summary(rules[deleted] as Rule)}
        </ConfirmDialog>
      )}
    </Card>
  );
}
