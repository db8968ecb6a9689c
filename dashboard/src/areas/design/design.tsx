import { Copy, KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { DesignLog, DesignTable } from '#areas/design/lists.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { CodeBlock, Mono } from '#ui/code-block.tsx';
import { CallTabs, CodeTabs } from '#ui/code-tabs.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorNotice, Notice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { Field, Input, Textarea } from '#ui/field.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SecretDialog, SecretOnce } from '#ui/secret-once.tsx';
import { Select } from '#ui/select.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Sparkline } from '#ui/sparkline.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { toast } from '#ui/toast.ts';
import { Checkbox, Switch } from '#ui/toggle.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';
import { Waterfall, type WaterfallRow } from '#ui/waterfall.tsx';

const call = { method: 'GET', path: '/organizations' } as const;
const times = Array.from({ length: 60 }, (_, minute) => 1_790_000_000 + minute * 60);

const wave = times.map((_, at) => Math.round(50 + Math.sin(at / 6) * 40));

const steps: WaterfallRow[] = [
  { id: '1', label: 'Routing', start: 0, parts: [{ label: 'Work', milliseconds: 14, tone: 'neutral' }] },
  {
    id: '2',
    label: 'First provider',
    note: '503, overloaded',
    start: 14,
    parts: [{ label: 'Failed', milliseconds: 310, tone: 'danger' }],
  },
  {
    id: '3',
    label: 'Second provider',
    note: 'Retried once',
    start: 330,
    parts: [
      { label: 'Waiting', milliseconds: 420, tone: 'warning' },
      { label: 'Streaming', milliseconds: 1250 },
    ],
  },
  {
    id: '4',
    label: 'Tool call',
    start: 900,
    depth: 1,
    parts: [{ label: 'Streaming', milliseconds: 96 }],
  },
];

/** Every component in every look, for whoever writes a screen. */
export function Design() {
  return (
    <main className="mx-auto max-w-5xl space-y-6 p-6">
      <PageHeader
        title="Components"
        description="Building blocks of the screens. Colours, sizes and type are defined in styles/tokens.css."
        crumbs={[{ text: 'Mainstay', link: { to: '/' } }]}
        badge={<StatusBadge status="ready" />}
        call={call}
      />
      <Actions />
      <Inputs />
      <Section title="Facts and states">
        <div className="flex flex-wrap gap-2">
          {['ACTIVE', 'BUILDING', 'FAILED', 'SUSPENDED', 'canceled', 'queued'].map((status) => (
            <StatusBadge key={status} status={status} />
          ))}
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
      <Section title="A table of 1,000 rows">
        <DesignTable />
      </Section>
      <Section title="Numbers over time">
        <Chart label="Requests" times={times} series={[{ label: 'Requests', values: wave }]} />
        <div className="w-40">
          <Sparkline values={wave} />
        </div>
      </Section>
      <Section title="Steps over time">
        <Waterfall label="A request, step by step" rows={steps} />
      </Section>
      <Section title="A log of 5,000 lines">
        <DesignLog />
      </Section>
      <Section title="Code">
        <CodeTabs
          label="Install the client"
          snippets={[
            { language: 'npm', code: 'npm install @mainstay/sdk' },
            { language: 'pnpm', code: 'pnpm add @mainstay/sdk' },
          ]}
        />
        <CallTabs call={{ method: 'POST', path: '/api-keys', body: { name: 'CI', scopes: ['openid'] } }} />
      </Section>
      <EmptyState icon={<KeyRound />} title="Nothing here yet" call={call}>
        An empty list says what it is for, and how to fill it.
      </EmptyState>
      <CodeBlock label="In a terminal" code="npm start" />
    </main>
  );
}

function Actions() {
  const [open, setOpen] = useState<'dialog' | 'form' | 'question' | 'secret'>();
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
        <ViewAsCode call={call} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => setOpen('form')}>Open a form</Button>
        <Button onClick={() => setOpen('secret')}>Show a secret</Button>
        <Button onClick={() => toast.done('Saved', { label: 'Undo', run: () => toast.done('Undone') })}>
          Show a toast
        </Button>
        <Button onClick={() => toast.problem('It could not be saved. Try again.')}>Show a problem</Button>
      </div>
      <Dialog open={open === 'dialog'} onClose={close} title="A dialog" description="It closes by Escape.">
        A task beside the page.
      </Dialog>
      {open === 'form' && <DesignForm onClose={close} />}
      {open === 'secret' && (
        <SecretDialog title="Key created" onClose={close}>
          <SecretOnce label="Secret" secret="mst_shown_this_once" />
        </SecretDialog>
      )}
      <ConfirmDialog
        open={open === 'question'}
        onClose={close}
        title="Delete it?"
        action="Delete"
        typed="acme"
        onConfirm={async () => undefined}
      >
        It says what will be different afterwards, and for whom.
      </ConfirmDialog>
    </Section>
  );
}

function DesignForm({ onClose }: { onClose: () => void }) {
  const form = useAppForm({
    defaultValues: { name: '' },
    validators: { onSubmitAsync: sending(async () => onClose()) },
  });
  return (
    <FormDialog
      title="New thing"
      form={form}
      submit="Create thing"
      call={(body: { name: string }) => ({ method: 'POST', path: '/things', body })}
      onClose={onClose}
    >
      <form.AppField name="name">{(field) => <field.TextField label="Name" autoFocus />}</form.AppField>
    </FormDialog>
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
        <Switch checked={isOn} onChange={setOn} label="A switch" hint="Takes effect immediately." />
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
