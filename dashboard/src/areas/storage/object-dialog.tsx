import type { StorageObject } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { bytesText } from '#api/numbers.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { usePlace } from '#areas/storage/bucket-header.tsx';
import { contentKeys, type Place, storagePath } from '#areas/storage/data.ts';
import { EditProperties } from '#areas/storage/edit-properties.tsx';
import { ObjectVersions } from '#areas/storage/object-versions.tsx';
import { Button } from '#ui/button.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { Mono } from '#ui/code-block.tsx';
import { CopyTextButton } from '#ui/copy-button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Facts } from '#ui/facts.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Select } from '#ui/select.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

/** Text is read into the page, so not much of it. */
const textBytes = 100_000;

function readObject(place: Place, objectId: string) {
  const { applicationId, bucket, environment } = place;
  const at = { environment };
  return {
    queryKey: ['storage', applicationId, environment, bucket, 'object', objectId],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const [object, properties, shown, saved] = await Promise.all([
        api.storage.getObject(applicationId, bucket, objectId, { ...at, signal }),
        api.storage.getProperties(applicationId, bucket, objectId, { ...at, signal }),
        api.storage.accessUrl(applicationId, bucket, objectId, at, { signal }),
        api.storage.accessUrl(applicationId, bucket, objectId, { ...at, download: true }, { signal }),
      ]);
      return { object, properties, url: shown.url, downloadUrl: saved.url };
    },
  };
}

/** An object: what it looks like, what is known of it, a link to share. */
export function ObjectDialog({
  objectId,
  onClose,
  onOpen,
}: {
  objectId: string;
  onClose: () => void;
  onOpen: (objectId: string) => void;
}) {
  const [isEditing, setEditing] = useState(false);
  const place = usePlace();
  const { data, error, refetch } = useQuery(readObject(place, objectId));
  const can = useCan();
  const remove = useAction({
    run: () =>
      api.storage.deleteObject(place.applicationId, place.bucket, objectId, {
        environment: place.environment,
      }),
    refresh: contentKeys(place),
    done: 'Moved to the trash',
  });
  const path = `${storagePath(place.applicationId)}/${place.bucket}/objects/${objectId}/access-url?environment=${place.environment}`;
  const name = data?.object.key.split('/').at(-1) || data?.object.key;
  return (
    <Dialog open wide onClose={onClose} title={name ?? 'Object'}>
      {error ? (
        <TryAgain error={error} refetch={refetch} />
      ) : !data ? (
        <Skeleton className="h-64" />
      ) : (
        <div className="space-y-5">
          <Preview object={data.object} url={data.url} />
          <Facts
            facts={[
              [
                'Key',
                <Mono key="key" copy>
                  {data.object.key}
                </Mono>,
              ],
              [
                'Size',
                `${bytesText(data.object.contentLength)} (${data.object.contentLength.toLocaleString('en')} bytes)`,
              ],
              ['Type', data.object.contentType],
              ['Uploaded', <RelativeTime key="time" time={data.object.uploadedAt} />],
              ['Cache-Control', data.properties.cacheControl],
              ...Object.entries(data.properties.metadata).map(
                ([key, value]) => [`Metadata: ${key}`, value] as const,
              ),
              ...Object.entries(data.properties.tags).map(([key, value]) => [`Tag: ${key}`, value] as const),
              ['SHA-256', data.object.checksumSha256 && <Mono key="sha">{data.object.checksumSha256}</Mono>],
              [
                'ID',
                <Mono key="id" copy>
                  {data.object.id}
                </Mono>,
              ],
            ]}
          />
          <Share place={place} objectId={objectId} />
          <ObjectVersions
            place={place}
            objectKey={data.object.key}
            onReplaced={(id) => (id === undefined ? onClose() : onOpen(id))}
          />
          {isEditing && (
            <EditProperties place={place} properties={data.properties} onClose={() => setEditing(false)} />
          )}
          <DialogActions aside={<ViewAsCode call={{ method: 'GET', path }} />}>
            {can('updateStorageObjectProperties') && (
              <Button onClick={() => setEditing(true)}>Edit properties</Button>
            )}
            {can('deleteStorageObject') && (
              <Button
                busy={remove.isPending}
                onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
              >
                <Trash2 aria-hidden />
                Delete
              </Button>
            )}
            <a href={data.downloadUrl} className={buttonClass({ look: 'primary' })}>
              <Download aria-hidden />
              Download
            </a>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}

function Preview({ object, url }: { object: StorageObject; url: string }) {
  const type = object.contentType ?? '';
  const frame = 'max-h-80 w-full rounded-md border bg-sunken object-contain';
  if (type.startsWith('image/')) return <img src={url} alt={object.key} className={frame} />;
  if (type.startsWith('video/')) {
    // biome-ignore lint/a11y/useMediaCaption: what somebody stored has none.
    return <video src={url} controls className={frame} />;
  }
  if (type.startsWith('audio/')) {
    // biome-ignore lint/a11y/useMediaCaption: what somebody stored has none.
    return <audio src={url} controls className="w-full" />;
  }
  if (type.startsWith('application/pdf')) {
    return <iframe src={url} title={object.key} className="h-80 w-full rounded-md border" />;
  }
  if (/^(text\/|application\/(json|xml|yaml))/.test(type)) return <TextPreview url={url} id={object.id} />;
  return <p className="rounded-md border bg-sunken p-4 text-muted">No preview available for this type.</p>;
}

function TextPreview({ url, id }: { url: string; id: string }) {
  const { data } = useQuery({
    queryKey: ['storage', 'text', id],
    queryFn: async ({ signal }) => {
      const response = await fetch(url, { signal, headers: { range: `bytes=0-${textBytes - 1}` } });
      return response.ok ? response.text() : '';
    },
  });
  return (
    <pre className="max-h-80 overflow-auto rounded-md border bg-sunken p-3 text-xs whitespace-pre-wrap wrap-anywhere">
      {data ?? '…'}
    </pre>
  );
}

const lifetimes = [
  { value: '300', label: '5 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
];

function Share({ place, objectId }: { place: Place; objectId: string }) {
  const { applicationId, bucket, environment } = place;
  const [seconds, setSeconds] = useState('3600');
  const [link, setLink] = useState<string>();
  const make = useAction({
    run: () =>
      api.storage.accessUrl(applicationId, bucket, objectId, {
        environment,
        expiresInSeconds: Number(seconds),
      }),
    done: 'Link created',
  });
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label="Link expires after"
          value={seconds}
          onChange={setSeconds}
          options={lifetimes}
          className="w-36"
        />
        <Button
          busy={make.isPending}
          onClick={() => make.mutate(undefined, { onSuccess: ({ url }) => setLink(url) })}
        >
          Create link
        </Button>
        {link && <CopyTextButton text={link} label="Copy link" />}
      </div>
      {link && <Mono>{link}</Mono>}
    </div>
  );
}
