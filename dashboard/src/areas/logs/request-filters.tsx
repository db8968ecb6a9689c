import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Change, RangeField } from '#areas/logs/range-field.tsx';
import type { LogsSearch } from '#areas/logs/search.ts';
import { Button } from '#ui/button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';

const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
const facets = [
  {
    name: 'statusFamily',
    label: 'Status',
    options: [
      { value: '2', label: '2xx: success' },
      { value: '3', label: '3xx: redirect' },
      { value: '4', label: '4xx: client error' },
      { value: '5', label: '5xx: server error' },
    ],
  },
  {
    name: 'method',
    label: 'Method',
    options: same(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  },
  {
    name: 'cacheStatus',
    label: 'Cache',
    options: same(['hit', 'miss', 'bypass', 'revalidated', 'stale', 'updating']),
  },
  {
    name: 'bot',
    label: 'Client',
    options: [
      { value: 'false', label: 'People' },
      { value: 'true', label: 'Bots' },
    ],
  },
];

/** Set by a click on a value, shown as chips that take them away again. */
const others = [
  ['status', 'Status code'],
  ['hostname', 'Host'],
  ['pathPrefix', 'Path begins with'],
  ['country', 'Country'],
  ['deploymentId', 'Deployment'],
  ['storageBucketId', 'Bucket'],
] as const;

export function RequestFilters({
  search,
  onChange,
  children,
}: {
  search: LogsSearch;
  onChange: Change;
  children?: ReactNode;
}) {
  return (
    <>
      <FilterBar label="Search paths and errors" search={search} onChange={onChange} facets={facets}>
        <RangeField search={search} onChange={onChange} />
        {children}
      </FilterBar>
      <div className="mb-3 flex flex-wrap gap-2 empty:hidden">
        {others.map(([name, label]) => {
          const value = search[name];
          if (value === undefined) return null;
          return (
            <Button key={name} size="sm" onClick={() => onChange({ [name]: undefined })}>
              <span className="max-w-72 truncate">
                {label}: <strong className="font-medium">{value}</strong>
              </span>
              <X aria-label="Remove this filter" />
            </Button>
          );
        })}
      </div>
    </>
  );
}
