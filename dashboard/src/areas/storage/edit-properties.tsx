import type { StorageObjectProperties } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { Refused } from '#api/errors.ts';
import { contentKeys, type Place, storagePath } from '#areas/storage/data.ts';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

interface Values {
  contentType: string;
  cacheControl: string;
  contentDisposition: string;
  contentLanguage: string;
  metadata: string;
  tags: string;
}

const linesOf = (pairs: Record<string, string>) =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

function pairsOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      if (at < 1) throw new Refused(`Write "${line.trim()}" as name=value.`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
const bodyOf = (value: Values) => ({
  contentType: orNull(value.contentType),
  cacheControl: orNull(value.cacheControl),
  contentDisposition: orNull(value.contentDisposition),
  contentLanguage: orNull(value.contentLanguage),
  metadata: pairsOf(value.metadata),
  tags: pairsOf(value.tags),
});

/** Headers, metadata and tags of an object. */
export function EditProperties({
  place,
  properties,
  onClose,
}: {
  place: Place;
  properties: StorageObjectProperties;
  onClose: () => void;
}) {
  const { applicationId, bucket, environment } = place;
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: {
      contentType: properties.contentType ?? '',
      cacheControl: properties.cacheControl ?? '',
      contentDisposition: properties.contentDisposition ?? '',
      contentLanguage: properties.contentLanguage ?? '',
      metadata: linesOf(properties.metadata),
      tags: linesOf(properties.tags),
    },
    validators: {
      onSubmitAsync: sending(async (value: Values) => {
        await api.storage.updateProperties(applicationId, bucket, properties.id, bodyOf(value), {
          environment,
        });
        for (const queryKey of contentKeys(place)) await client.invalidateQueries({ queryKey });
        toast.done('Properties saved');
        onClose();
      }),
    },
  });
  const path = `${storagePath(applicationId)}/${bucket}/objects/${properties.id}/properties?environment=${environment}`;
  return (
    <FormDialog
      title="Edit properties"
      form={form}
      submit="Save properties"
      // Pairs that are half written are no body yet.
      call={({ metadata, tags, ...value }: Values) => ({
        method: 'PATCH',
        path,
        body: {
          ...bodyOf({ ...value, metadata: '', tags: '' }),
          metadata: written(metadata),
          tags: written(tags),
        },
      })}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="contentType">
          {(field) => <field.TextField label="Content type" mono placeholder="image/png" />}
        </form.AppField>
        <form.AppField name="cacheControl">
          {(field) => <field.TextField label="Cache-Control" mono placeholder="max-age=3600" />}
        </form.AppField>
        <form.AppField name="contentDisposition">
          {(field) => <field.TextField label="Content-Disposition" mono placeholder="attachment" />}
        </form.AppField>
        <form.AppField name="contentLanguage">
          {(field) => <field.TextField label="Content-Language" mono placeholder="en" />}
        </form.AppField>
      </div>
      <form.AppField name="metadata">
        {(field) => <field.TextAreaField label="Metadata" mono rows={3} hint="One name=value per line" />}
      </form.AppField>
      <form.AppField name="tags">
        {(field) => (
          <field.TextAreaField label="Tags" mono rows={3} hint="One name=value per line; at most ten." />
        )}
      </form.AppField>
    </FormDialog>
  );
}

function written(text: string): Record<string, string> {
  return pairsOf(
    text
      .split('\n')
      .filter((line) => line.indexOf('=') > 0)
      .join('\n'),
  );
}
