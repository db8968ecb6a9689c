import type { StorageObjectVersion } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { bytesText } from '#api/numbers.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { contentKeys, type Place, versionsQuery } from '#areas/storage/data.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** What a key held, newest first. `onReplaced` is told when it holds another version, or none. */
export function ObjectVersions({
  place,
  objectKey,
  onReplaced,
}: {
  place: Place;
  objectKey: string;
  onReplaced: (objectId: string | undefined) => void;
}) {
  const { applicationId, bucket, environment } = place;
  const can = useCan();
  const [removed, setRemoved] = useState<StorageObjectVersion>();
  const query = useInfiniteQuery(versionsQuery(place, objectKey));
  const versions = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const restore = useAction({
    run: async (version: StorageObjectVersion) => {
      const made = await api.storage.restoreVersion(applicationId, bucket, version.id, { environment });
      onReplaced(made.id);
    },
    refresh: contentKeys(place),
    done: 'Version restored',
  });
  const remove = useAction({
    run: async ({ id, isCurrent }: StorageObjectVersion) => {
      await api.storage.deleteVersion(applicationId, bucket, id, { environment });
      if (isCurrent) onReplaced(undefined);
    },
    refresh: contentKeys(place),
    done: 'Version deleted',
    quiet: true,
  });
  if (query.error) return <TryAgain error={query.error} refetch={query.refetch} />;
  return (
    <section aria-label="Versions">
      <h3 className="mb-1 font-medium">Versions</h3>
      <ul className="divide-y">
        {versions.map((version) => (
          <li key={version.id} className="flex flex-wrap items-center gap-3 py-2">
            <span className="min-w-0 flex-1">
              <RelativeTime time={version.uploadedAt} />
              <span className="text-muted">
                {version.isDeleteMarker ? ' · Delete marker' : ` · ${bytesText(version.contentLength)}`}
              </span>
            </span>
            {version.isCurrent && <Badge tone="neutral">Current</Badge>}
            {!version.isCurrent && !version.isDeleteMarker && can('restoreStorageObjectVersion') && (
              <Button
                size="sm"
                busy={restore.isPending && restore.variables === version}
                onClick={() => restore.mutate(version)}
              >
                Restore version
              </Button>
            )}
            {can('deleteStorageObjectVersion') && (
              <Button size="sm" onClick={() => setRemoved(version)}>
                Delete version
              </Button>
            )}
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Load more
        </Button>
      )}
      {removed && (
        <ConfirmDialog
          open
          onClose={() => setRemoved(undefined)}
          title="Delete version"
          action="Delete version"
          onConfirm={() => remove.mutateAsync(removed)}
        >
          {removed.isCurrent
            ? 'The previous version becomes current. This cannot be undone.'
            : 'This cannot be undone.'}
        </ConfirmDialog>
      )}
    </section>
  );
}
