import type { AuditRecord } from '@mainstay/sdk';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { save } from '#ui/save.ts';
import { toast } from '#ui/toast.ts';

/** More than this is a job for a program: the API pages without an end. */
const maxRecords = 10_000;

/** What the filters find, as a file of CSV. */
export function ExportButton({ load }: { load: () => AsyncIterable<AuditRecord> }) {
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      const lines = [columns.join(',')];
      for await (const record of load()) {
        lines.push(rowOf(record));
        if (lines.length > maxRecords) break;
      }
      save('audit-log.csv', `${lines.join('\r\n')}\r\n`, 'text/csv');
      if (lines.length > maxRecords)
        toast.done(`The latest ${maxRecords.toLocaleString('en')} records were exported`);
    } catch (error) {
      toast.failed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button busy={isBusy} onClick={() => void run()}>
      <Download aria-hidden />
      Export CSV
    </Button>
  );
}

const columns = [
  'createdAt',
  'action',
  'actorType',
  'actorId',
  'targetType',
  'targetId',
  'requestId',
  'details',
];

function rowOf({ createdAt, action, actor, target, requestId, details }: AuditRecord): string {
  const values = [
    ...[createdAt, action, actor.type, actor.id, target.type, target.id, requestId],
    JSON.stringify(details),
  ];
  return values.map(cell).join(',');
}

/** RFC 4180; what a spreadsheet would take for a formula is text. */
function cell(value: string | null): string {
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
