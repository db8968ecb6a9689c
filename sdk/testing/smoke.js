// What every runtime must be able to do; plain JavaScript, because it runs in all of them. Against a real instance.

/**
 * @param {typeof import('../index.ts')} sdk
 * @param {import('../index.ts').ClientOptions} options Credential of an organization or application.
 * @param {string} organizationId
 */
export async function smoke({ createClient, ApiError }, options, organizationId) {
  const client = createClient(options);
  const key = `SMOKE_${crypto.randomUUID()}`;
  const made = await client.envVars.create(organizationId, { key, value: 'ä €', sensitive: false });
  const listed = [];
  for await (const variable of client.envVars.list(organizationId, { limit: 1 })) listed.push(variable.key);
  const changed = await client.envVars.update(organizationId, made.id, { value: '' });
  const { content } = await client.envVars.export(organizationId);
  const gone = await client.envVars.delete(organizationId, made.id);
  const refused = await client.organizations.get(made.id).catch((error) => error);
  const aborted = await client.organizations
    .get(organizationId, { signal: AbortSignal.abort(new Error('Given up.')) })
    .catch((error) => error);
  return {
    value: made.value,
    isListed: listed.includes(key),
    changed: changed.value,
    isExported: content.includes(key),
    gone: gone === undefined,
    refused: refused instanceof ApiError && [refused.status, typeof refused.requestId],
    aborted: aborted.message,
  };
}

/** What `smoke` answers where all is well. */
export const expected = {
  value: 'ä €',
  isListed: true,
  changed: '',
  isExported: true,
  gone: true,
  refused: [404, 'string'],
  aborted: 'Given up.',
};
