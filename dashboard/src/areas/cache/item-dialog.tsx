import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '#api/errors.ts';
import { bytesText } from '#api/numbers.ts';
import type { CachedItem } from '#areas/cache/data.ts';
import { itemQuery, type OpenCache, secondsUntil } from '#areas/cache/data.ts';
import { Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

interface ItemDialogProps {
  open: OpenCache;
  itemKey: string;
  onClose: () => void;
}

export function ItemDialog({ open, itemKey, onClose }: ItemDialogProps) {
  const query = useQuery(itemQuery(open, itemKey));
  const { data } = query;
  const [isEditing, setEditing] = useState(false);
  const call = { method: 'GET', path: `${open.path}?key=${encodeURIComponent(itemKey)}` } as const;
  return (
    <Dialog open wide onClose={onClose} title={itemKey}>
      <Pending query={query} className="h-40" />
      {data === null && <Notice>This item no longer exists. It was deleted, expired or evicted.</Notice>}
      {data && isEditing && <Editor open={open} item={data} onDone={() => setEditing(false)} />}
      {data && !isEditing && (
        <>
          <Facts
            facts={[
              ['Size', bytesText(data.byteSize)],
              ['Expires', <RelativeTime key="expires" time={data.expiresAt?.toISOString() ?? null} />],
              ['Entity tag', data.etag && <span className="font-mono text-xs">{data.etag}</span>],
            ]}
          />
          <div className="mt-4 [&_pre]:max-h-[45dvh] [&_pre]:overflow-y-auto">
            <CodeBlock label="Value" code={pretty(data.value)} />
          </div>
          <DialogActions aside={<ViewAsCode call={call} />}>
            <Button look="primary" onClick={() => setEditing(true)}>
              Edit
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

/** Writes only over the item that was looked at: what somebody else wrote meanwhile is not lost. */
function Editor({ open, item, onDone }: { open: OpenCache; item: CachedItem; onDone: () => void }) {
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: { value: item.value },
    validators: {
      onSubmitAsync: sending(async ({ value }: { value: string }) => {
        const { key, etag, expiresAt } = item;
        try {
          const condition = etag === null ? {} : { ifMatch: etag };
          await open.set({ key, value, expiration: secondsUntil(expiresAt) }, condition);
          toast.done(`${key} saved`);
          onDone();
        } catch (error) {
          if (!isStatus(error, 412)) throw error;
          toast.problem(
            `${key} was changed or deleted in the meantime. Its current value is shown; your change was not saved.`,
          );
          onDone();
        } finally {
          await client.invalidateQueries({ queryKey: ['cache'] });
        }
      }),
    },
  });
  return (
    <Form form={form}>
      <form.AppField name="value">
        {(field) => <field.TextAreaField label="Value" mono rows={12} />}
      </form.AppField>
      <form.AppForm>
        <form.FormError />
        <DialogActions
          aside={
            <form.Subscribe selector={(state) => state.values}>
              {({ value }) => (
                <ViewAsCode
                  call={{
                    method: 'POST',
                    path: open.path,
                    body: { key: item.key, value, expiration: secondsUntil(item.expiresAt) },
                  }}
                />
              )}
            </form.Subscribe>
          }
        >
          <Button look="ghost" onClick={onDone}>
            Cancel
          </Button>
          <form.SubmitButton>Save</form.SubmitButton>
        </DialogActions>
      </form.AppForm>
    </Form>
  );
}

/** JSON with its lines, anything else as it is. */
function pretty(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
