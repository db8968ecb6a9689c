import { useQuery } from '@tanstack/react-query';
import { ChartSpline } from 'lucide-react';
import { bytesText } from '#api/numbers.ts';
import { BucketHeader, usePlace } from '#areas/storage/bucket-header.tsx';
import { settingsQuery, storagePath, usageQuery } from '#areas/storage/data.ts';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Facts } from '#ui/facts.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** What the bucket holds now, and what it held and served in the last 30 days. */
export function Usage() {
  const place = usePlace();
  const days = useQuery(usageQuery(place));
  const settings = useQuery(settingsQuery(place));
  const path = `${storagePath(place.applicationId)}/${place.bucket}/usage?environment=${place.environment}`;
  const error = days.error ?? settings.error;
  const items = days.data?.items;
  const times = items?.map(({ day }) => Date.parse(day) / 1000) ?? [];
  const count = (value: number) => value.toLocaleString('en');
  return (
    <>
      <BucketHeader call={{ method: 'GET', path }} />
      {error ? (
        <TryAgain error={error} refetch={() => Promise.all([days.refetch(), settings.refetch()])} />
      ) : !items || !settings.data ? (
        <Skeleton className="h-64" />
      ) : (
        <div className="space-y-6">
          <Card title="Now">
            <Facts
              facts={[
                [
                  'Objects',
                  `${count(settings.data.usage.objects)} (${bytesText(settings.data.usage.bytes)})`,
                ],
                [
                  'Trash',
                  `${count(settings.data.usage.trashedObjects)} (${bytesText(settings.data.usage.trashedBytes)})`,
                ],
                [
                  'Old versions',
                  `${count(settings.data.usage.oldVersions)} (${bytesText(settings.data.usage.oldVersionBytes)})`,
                ],
                ['Open uploads', count(settings.data.usage.openUploads)],
                [
                  'Quota',
                  `${bytesText(settings.data.effectiveQuota.bytes)}, ${count(settings.data.effectiveQuota.objects)} objects`,
                ],
              ]}
            />
          </Card>
          {items.length === 0 ? (
            <EmptyState icon={<ChartSpline />} title="No traffic yet">
              Bytes, objects, requests and traffic are counted by day (UTC).
            </EmptyState>
          ) : (
            <>
              <Card>
                <Chart
                  label="Stored"
                  times={times}
                  series={[{ label: 'Bytes', values: items.map(({ bytes }) => bytes) }]}
                  format={bytesText}
                />
              </Card>
              <Card>
                <Chart
                  label="Traffic"
                  times={times}
                  series={[
                    { label: 'Received', values: items.map(({ bytesIn }) => bytesIn) },
                    { label: 'Sent', values: items.map(({ bytesOut }) => bytesOut) },
                  ]}
                  format={bytesText}
                  stacked
                />
              </Card>
              <Card>
                <Chart
                  label="Requests"
                  times={times}
                  series={[{ label: 'Requests', values: items.map(({ requests }) => requests) }]}
                  format={count}
                  stacked
                />
              </Card>
            </>
          )}
        </div>
      )}
    </>
  );
}
