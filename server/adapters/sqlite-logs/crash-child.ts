import { openSqliteLogs } from '#adapters/sqlite-logs/open.ts';
import { newId } from '#core/ids.ts';
import { requestLine } from '#testing/request-lines.ts';

/** Writes lines of the application for ever, and says how many are stored; the test ends it without warning. */

const [folder = '', applicationId = ''] = process.argv.slice(2);
const year = 365 * 86_400;
const logs = openSqliteLogs({
  folder,
  prepare: { requests: { addresses: 'none', countriesFile: undefined } },
  retention: { requests: year, 'runtime-logs': year, 'ai-usage': year },
  bufferBytes: 32 * 1024 * 1024,
  notice: () => {},
});
for (;;) {
  const lines = Array.from({ length: 500 }, () => requestLine({ applicationId, path: `/${newId()}` }));
  for (const line of lines) logs.write('requests', line);
  await logs.flush();
  process.stdout.write(`${logs.counts().requests.written}\n`);
}
