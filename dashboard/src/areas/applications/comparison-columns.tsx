import type { EnvVarComparison } from '@mainstay/sdk';
import { Badge, type Tone } from '#ui/badge.tsx';
import type { Column } from '#ui/data-table.tsx';

export function comparisonColumns(left: string, right: string, isShown: boolean): Column<EnvVarComparison>[] {
  const states: Record<EnvVarComparison['status'], { text: string; tone: Tone }> = {
    same: { text: 'Same', tone: 'neutral' },
    different: { text: 'Different', tone: 'warning' },
    only_left: { text: `Missing in ${right}`, tone: 'danger' },
    only_right: { text: `Missing in ${left}`, tone: 'danger' },
    secret: { text: 'Not compared', tone: 'neutral' },
  };
  return [
    {
      id: 'key',
      header: 'Key',
      value: ({ key }) => key,
      sortable: true,
      fixed: true,
      width: '3fr',
      cell: ({ key }) => (
        <span className="truncate font-mono text-xs font-medium" title={key}>
          {key}
        </span>
      ),
    },
    {
      id: 'left',
      header: left,
      width: '3fr',
      wide: true,
      cell: (row) => <Side side={row.left} isShown={isShown} />,
    },
    {
      id: 'right',
      header: right,
      width: '3fr',
      wide: true,
      cell: (row) => <Side side={row.right} isShown={isShown} />,
    },
    {
      id: 'status',
      header: 'Result',
      value: ({ status }) => status,
      sortable: true,
      width: '11rem',
      cell: ({ status }) => <Badge tone={states[status].tone}>{states[status].text}</Badge>,
    },
  ];
}

function Side({ side, isShown }: { side: EnvVarComparison['left']; isShown: boolean }) {
  if (!side) return <span className="text-faint">Not set</span>;
  if (side.value === null) return <span className="text-faint">Sensitive</span>;
  if (!isShown)
    return (
      <span className="text-faint">
        <span aria-hidden>••••••••</span>
        <span className="sr-only">hidden</span>
      </span>
    );
  return (
    <span className="truncate font-mono text-xs" title={side.value}>
      {side.value === '' ? <span className="text-faint">empty</span> : side.value}
    </span>
  );
}
