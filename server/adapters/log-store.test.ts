import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { openSqliteLogs } from '#adapters/sqlite-logs/open.ts';
import { logStoreContract } from '../contracts/log-store.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mainstay-logs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const year = 365 * 86_400;
logStoreContract('sqlite', async () =>
  openSqliteLogs({
    folder,
    prepare: { requests: { addresses: 'truncated', countriesFile: undefined } },
    retention: { requests: year, 'runtime-logs': year, 'ai-usage': year },
    bufferBytes: 64 * 1024 * 1024,
    notice: (text) => process.stderr.write(`${text}\n`),
  }),
);
