import { X } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { type AuditSearch, toLocal, toMoment } from '#areas/audit-log/search.ts';
import { Button } from '#ui/button.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { Select } from '#ui/select.tsx';

export interface NamedPerson {
  id: string;
  name: string;
}

interface AuditFiltersProps {
  search: AuditSearch;
  people: readonly NamedPerson[];
  onChange: (search: AuditSearch) => void;
}

/** Each is exact, as the API compares; they narrow each other. */
export function AuditFilters({ search, people, onChange }: AuditFiltersProps) {
  const set = (name: keyof AuditSearch, value: string | undefined) => {
    const { [name]: _before, ...rest } = search;
    onChange(value ? { ...rest, [name]: value } : rest);
  };
  const first = useRef<HTMLInputElement>(null);
  useHotkey('/', 'Filter the audit log', () => first.current?.focus());
  const isKnown = people.some(({ id }) => id === search.actorId);
  const actors = [
    { value: '', label: 'Anybody' },
    ...people.map(({ id, name }) => ({ value: id, label: name })),
    ...(search.actorId && !isKnown ? [{ value: search.actorId, label: search.actorId.slice(0, 8) }] : []),
  ];
  return (
    <search
      aria-label="Filters"
      className="mb-4 grid grid-cols-2 items-end gap-3 lg:grid-cols-[repeat(6,minmax(0,1fr))_auto]"
    >
      <Labelled label="Action">
        <Text
          inputRef={first}
          label="Action"
          placeholder="api_key.created"
          value={search.action}
          onChange={(value) => set('action', value)}
        />
      </Labelled>
      <Labelled label="By">
        <Select
          label="By"
          value={search.actorId ?? ''}
          onChange={(value) => set('actorId', value)}
          options={actors}
        />
      </Labelled>
      <Labelled label="Kind of target">
        <Text
          label="Kind of target"
          placeholder="api_key"
          value={search.targetType}
          onChange={(value) => set('targetType', value)}
        />
      </Labelled>
      <Labelled label="Id of target">
        <Text
          label="Id of target"
          placeholder="Id"
          value={search.targetId}
          onChange={(value) => set('targetId', value)}
        />
      </Labelled>
      <Labelled label="From">
        <Moment label="From" value={search.from} onChange={(value) => set('from', value)} />
      </Labelled>
      <Labelled label="Before">
        <Moment label="Before" value={search.to} onChange={(value) => set('to', value)} />
      </Labelled>
      {Object.keys(search).length > 0 && (
        <Button look="ghost" onClick={() => onChange({})}>
          <X aria-hidden />
          Clear
        </Button>
      )}
    </search>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <div aria-hidden className="mb-1 text-xs text-faint">
        {label}
      </div>
      {children}
    </div>
  );
}

interface FieldProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** What is typed stands in the address a moment later. */
function Text({
  label,
  placeholder,
  value = '',
  onChange,
  inputRef,
}: FieldProps & { placeholder: string; inputRef?: Ref<HTMLInputElement> }) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      ref={inputRef}
      aria-label={label}
      placeholder={placeholder}
      className="field-box font-mono text-xs"
      spellCheck={false}
      maxLength={100}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(target.value.trim()), 250);
      }}
    />
  );
}

function Moment({ label, value, onChange }: FieldProps) {
  return (
    <input
      type="datetime-local"
      aria-label={label}
      className="field-box text-xs"
      value={toLocal(value)}
      onChange={({ target }) => onChange(toMoment(target.value))}
    />
  );
}
