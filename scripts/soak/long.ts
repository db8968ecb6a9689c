import { test } from 'node:test';
import { campaigns } from './campaigns.ts';

const seconds = Number(process.env['SOAK_MINUTES'] ?? 1) * 60;
const part = process.env['SOAK_PART'] ?? '';

for (const { name, missing, run, seconds: longest = 0 } of campaigns) {
  if (!name.includes(part)) continue;
  const lacking = missing?.();
  const options = {
    skip: lacking ? `this machine lacks ${lacking}` : false,
    timeout: (Math.max(seconds, longest) + 300) * 1000,
  };
  test(`${name}, for ${seconds} s`, options, async (t) => t.diagnostic(await run(seconds)));
}
