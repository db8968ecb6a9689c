import type { AuditFacets } from '@mainstay/sdk';
import { type AuditSearch, toLocal, toMoment } from '#areas/audit-log/search.ts';
import { shortId } from '#areas/audit-log/sentence.ts';
import { FilterBar } from '#ui/filter-bar.tsx';

interface AuditFiltersProps {
  search: AuditSearch;
  facets: AuditFacets | undefined;
  onChange: (search: AuditSearch) => void;
  /** What acts on all that is found. */
  children?: React.ReactNode;
}

const hour = 3_600_000;
const presets = [
  { value: '1', label: 'Last hour', length: hour },
  { value: '24', label: 'Last 24 hours', length: 24 * hour },
  { value: '168', label: 'Last 7 days', length: 168 * hour },
  { value: '720', label: 'Last 30 days', length: 720 * hour },
];

/** Actions by name or as a group, actors by name, and a time; they narrow each other. */
export function AuditFilters({ search, facets, onChange, children }: AuditFiltersProps) {
  const change = (part: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }) =>
    onChange(
      Object.fromEntries(
        Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined),
      ) as AuditSearch,
    );
  return (
    <search aria-label="Filters" className="block">
      <FilterBar
        search={search}
        onChange={({ since, ...rest }) => {
          if (since === undefined) return change(rest);
          const { length = hour } = presets.find(({ value }) => value === since) ?? {};
          change({ from: new Date(Date.now() - length).toISOString(), to: undefined });
        }}
        facets={[
          { name: 'action', label: 'Action', options: actionOptions(facets?.actions ?? []) },
          { name: 'actorId', label: 'Actor', options: actorOptions(facets) },
          {
            name: 'targetType',
            label: 'Target',
            options: (facets?.targetTypes ?? []).map((value) => ({
              value,
              label: value.replaceAll('_', ' '),
            })),
          },
          ...(search.targetId ? [{ name: 'targetId', label: 'Target ID', options: [] }] : []),
          { name: 'since', label: 'Time', options: presets },
        ]}
      >
        {children}
      </FilterBar>
      {(search.from || search.to) && (
        <div className="mb-3 flex flex-wrap items-center gap-2 text-muted">
          <Moment label="From" value={search.from} onChange={(from) => change({ from })} />
          <Moment label="To" value={search.to} onChange={(to) => change({ to })} />
        </div>
      )}
    </search>
  );
}

/** Groups first: `api_key.*` is everything about keys. */
function actionOptions(actions: readonly string[]) {
  const groups = [...new Set(actions.map((action) => action.split('.')[0] ?? ''))];
  return [
    ...groups.map((group) => ({ value: `${group}.*`, label: `${group}.*` })),
    ...actions.map((action) => ({ value: action, label: action })),
  ];
}

function actorOptions(facets: AuditFacets | undefined) {
  return (facets?.actors ?? [])
    .map(({ type, id, name }) => ({ value: id, label: name ?? `${type} ${shortId(id)}` }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

interface MomentProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Moment({ label, value, onChange }: MomentProps) {
  return (
    <label className="flex items-center gap-2">
      {label}
      <input
        type="datetime-local"
        className="field-box w-auto! text-xs"
        value={toLocal(value)}
        onChange={({ target }) => onChange(toMoment(target.value))}
      />
    </label>
  );
}
