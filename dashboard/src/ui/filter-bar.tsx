import { ChevronDown, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '#ui/button-class.ts';
import { classes } from '#ui/classes.ts';
import { FilterField } from '#ui/filter-field.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import type { Option } from '#ui/select.tsx';

interface Facet {
  /** In the address. */
  name: string;
  label: string;
  options: readonly Option<string>[];
}

interface FilterBarProps {
  /** Names the text field: "Filter keys". Without it there are facets only. */
  label?: string;
  /** What of the address the bar is about: `filter`, and the names of the facets. */
  search: object;
  /** Only what is to change: undefined takes it out of the address. */
  onChange: (change: Record<string, string | undefined>) => void;
  facets?: readonly Facet[];
  /** At the right: what acts on the whole list. */
  children?: ReactNode;
}

/** Above a list: a text filter, and a chip for each facet. All of it stands in the address, so it can be shared. */
export function FilterBar({ label, search, onChange, facets = [], children }: FilterBarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {label !== undefined && (
        <FilterField
          label={label}
          value={textOf(search, 'filter')}
          onChange={(text) => onChange({ filter: text === '' ? undefined : text })}
        />
      )}
      {facets.map((facet) => (
        <FacetChip
          key={facet.name}
          facet={facet}
          value={textOf(search, facet.name)}
          onChange={(value) => onChange({ [facet.name]: value })}
        />
      ))}
      {children && <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>}
    </div>
  );
}

interface FacetChipProps {
  facet: Facet;
  value: string;
  onChange: (value: string | undefined) => void;
}

function FacetChip({ facet, value, onChange }: FacetChipProps) {
  const chosen =
    value === '' ? undefined : (facet.options.find((one) => one.value === value)?.label ?? value);
  return (
    <span className="inline-flex items-center">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={chosen === undefined ? `Filter by ${facet.label}` : `${facet.label}: ${chosen}`}
            className={buttonClass({
              className: classes(
                'max-w-60 font-normal!',
                chosen === undefined
                  ? 'border-dashed text-muted'
                  : 'rounded-r-none border-r-0! bg-accent-soft! text-accent-text',
              ),
            })}
          >
            <span className="truncate">
              {facet.label}
              {chosen !== undefined && <strong className="font-medium">: {chosen}</strong>}
            </span>
            {chosen === undefined && <ChevronDown aria-hidden className="size-3.5! text-faint" />}
          </button>
        }
      >
        {facet.options.map((option) => (
          <MenuItem key={option.value} onSelect={() => onChange(option.value)}>
            {option.label}
          </MenuItem>
        ))}
      </Menu>
      {chosen !== undefined && (
        <button
          type="button"
          aria-label={`Remove the filter ${facet.label}`}
          className={buttonClass({ className: 'rounded-l-none bg-accent-soft! px-2! text-accent-text' })}
          onClick={() => onChange(undefined)}
        >
          <X aria-hidden className="size-3.5!" />
        </button>
      )}
    </span>
  );
}

function textOf(search: object, name: string): string {
  const value = (search as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
