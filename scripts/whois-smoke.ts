import { openTarget, targetNames } from '../acceptance/instance.ts';

/**
 * Looks up one domain each of twenty TLDs on a machine that is connected to the Internet, and prints what came back.
 * Starts an instance of its own, or uses the one of MAINSTAY_ACCEPTANCE_URL and MAINSTAY_ACCEPTANCE_KEYS.
 */
const domains = [
  ...[
    'google.com',
    'wikipedia.org',
    'google.net',
    'afilias.info',
    'google.dev',
    'nic.io',
    'google.co.uk',
    'denic.de',
  ],
  ...['nic.fr', 'sidn.nl', 'nic.ch', 'nic.at', 'internetstiftelsen.se', 'nic.cz', 'registro.br', 'jprs.jp'],
  ...['google.com.au', 'cira.ca', 'nic.it', 'münchen.de'],
];

await using target = await openTarget(targetNames[0] ?? 'sqlite');
const { id, secret } = target.keys.application;
const answer = await fetch(`${target.url}/oauth2/token`, {
  method: 'POST',
  headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
});
const { access_token } = (await answer.json()) as { access_token: string };

const rows = [];
for (const domain of domains) {
  const started = performance.now();
  const response = await fetch(`${target.url}/whois/domain?domain=${encodeURIComponent(domain)}`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  // biome-ignore lint/suspicious/noExplicitAny: a record or an error.
  const body = (await response.json()) as any;
  rows.push({
    domain,
    status: response.status,
    ms: Math.round(performance.now() - started),
    registrar: body.registrar?.name?.slice(0, 28) ?? '',
    created: body.domain?.created?.slice(0, 10) ?? '',
    expires: body.domain?.expires?.slice(0, 10) ?? '',
    servers: body.nameservers?.length ?? '',
    error: body.error?.slice(0, 60) ?? '',
  });
}
console.table(rows);
process.exitCode = rows.every(({ status }) => status === 200) ? 0 : 1;
