import { Copy, KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { CodeBlock, Mono } from '#ui/code-block.tsx';
import { CopyAsCurl } from '#ui/copy-as-curl.tsx';
import { type Columns, DataTable } from '#ui/data-table.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorNotice, Notice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { Field, Input, Textarea } from '#ui/field.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SecretOnce } from '#ui/secret-once.tsx';
import { Select } from '#ui/select.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { toast } from '#ui/toast.tsx';
import { Checkbox, Switch } from '#ui/toggle.tsx';

interface Row {
  id: number;
  name: string;
}

const rows: Row[] = Array.from({ length: 1000 }, (_, id) => ({ id, name: `Row ${id + 1}` }));
const columns: Columns<Row> = [
  { accessorKey: 'id', header: 'Number', enableSorting: true, meta: { width: '8rem' } },
  { accessorKey: 'name', header: 'Name', enableSorting: true },
];
const rowId = ({ id }: Row) => String(id);
const call = { method: 'GET', path: '/organizations' } as const;
const times = Array.from({ length: 60 }, (_, minute) => 1_790_000_000 + minute * 60);

/** Every component in every look, for whoever writes a screen. */
export function Design() {
  return (
    <main className="mx-auto max-w-5xl space-y-6 p-6">
      <PageHeader
        title="Components"
        description="What screens are made of. Colours, sizes and type are in styles/tokens.css."
        call={call}
      />
      <Actions />
      <Inputs />
      <Section title="Facts and states">
        <div className="flex flex-wrap gap-2">
          <Badge>Neutral</Badge>
          <Badge tone="accent">Accent</Badge>
          <Badge tone="success">Success</Badge>
          <Badge tone="warning">Warning</Badge>
          <Badge tone="danger">Danger</Badge>
        </div>
        <Facts
          facts={[
            [
              'Id',
              <Mono key="id" copy>
                {'0192f0c1-2345-7abc-8def-0123456789ab'}
              </Mono>,
            ],
            ['Started', <RelativeTime key="time" time="2026-01-01T00:00:00.000Z" />],
          ]}
        />
        <Notice>Something to know before going on.</Notice>
        <Notice tone="warning">Something to be careful with.</Notice>
        <ErrorNotice sentence="The field “name” is empty: say what the key is for." />
        <SecretOnce label="A secret" secret="mst_shown_this_once" />
        <Skeleton className="h-8 w-full" />
      </Section>
      <Section title="A table of 1 000 rows">
        <DataTable label="Rows" rows={rows} columns={columns} rowId={rowId} />
      </Section>
      <Section title="Numbers over time">
        <Chart
          label="A wave"
          times={times}
          series={[{ label: 'Wave', values: times.map((_, at) => 50 + Math.sin(at / 6) * 40) }]}
        />
      </Section>
      <EmptyState icon={<KeyRound />} title="Nothing here yet" call={call}>
        An empty list says what it is for, and how to fill it.
      </EmptyState>
      <CodeBlock label="In a terminal" code="npm start" />
    </main>
  );
}

function Actions() {
  const [open, setOpen] = useState<'dialog' | 'question'>();
  const close = () => setOpen(undefined);
  return (
    <Section title="Actions">
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary">Primary</Button>
        <Button>Secondary</Button>
        <Button look="ghost">Ghost</Button>
        <Button look="danger" onClick={() => setOpen('question')}>
          Danger
        </Button>
        <Button busy>Busy</Button>
        <IconButton label="Copy" icon={<Copy aria-hidden />} />
        <CopyAsCurl call={call} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => toast.done('Saved', { label: 'Undo', run: () => toast.done('Undone') })}>
          Say something
        </Button>
        <Button onClick={() => toast.problem('It could not be saved. Try again.')}>Say a problem</Button>
      </div>
      <Dialog open={open === 'dialog'} onClose={close} title="A dialog" description="It closes by Escape.">
        A task beside the page.
      </Dialog>
      <AlertDialog
        open={open === 'question'}
        onClose={close}
        title="Delete it?"
        action="Delete"
        typed="acme"
        onConfirm={async () => undefined}
      >
        It says what will be different afterwards, and for whom.
      </AlertDialog>
    </Section>
  );
}

function Inputs() {
  const [isOn, setOn] = useState(true);
  const [choice, setChoice] = useState('90');
  return (
    <Section title="Input">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" hint="A hint says what comes of it.">
          <Input placeholder="Acme" />
        </Field>
        <Field label="Slug" error="This slug is taken: choose another.">
          <Input defaultValue="acme" />
        </Field>
        <Field label="Expires after">
          <Select
            value={choice}
            onChange={setChoice}
            options={[
              { value: '90', label: '90 days' },
              { value: 'never', label: 'Never', hint: 'Rotate it yourself' },
            ]}
          />
        </Field>
        <Field label="Value">
          <Textarea rows={2} />
        </Field>
        <Checkbox checked={isOn} onChange={setOn} label="A checkbox" hint="Is sent with its form." />
        <Switch checked={isOn} onChange={setOn} label="A switch" hint="Takes effect at once." />
      </div>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="space-y-4">{children}</div>
    </Card>
  );
}
