import { defaultRange, ranges, type TimeSearch } from '#areas/logs/search.ts';
import { Select } from '#ui/select.tsx';

/** Into the address; undefined takes a name out of it. */
export type Change = (change: Record<string, string | undefined>) => void;

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Up to now, or what was drawn over a chart. */
export function RangeField({ search, onChange }: { search: TimeSearch; onChange: Change }) {
  const { from, to } = search;
  const brushed = from && { value: 'custom', label: `${timeText(from)} – ${timeText(to)}` };
  return (
    <div className="w-48">
      <Select
        label="Time"
        value={from ? 'custom' : (search.range ?? defaultRange)}
        onChange={(range) => onChange({ range, from: undefined, to: undefined })}
        options={[...ranges.map(({ value, label }) => ({ value, label })), ...(brushed ? [brushed] : [])]}
      />
    </div>
  );
}

function timeText(time: string | undefined): string {
  const date = new Date(time ?? '');
  return Number.isNaN(date.getTime()) ? 'now' : moment.format(date);
}
