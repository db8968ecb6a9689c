/** An operation of the API as an action of a page sends it. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  path: string;
  body?: unknown;
}

/** The same call for a terminal. The token stays out of it: `$MAINSTAY_TOKEN` is one of /oauth2/token. */
export function curlOf({ method, path, body }: ApiCall): string {
  const lines = [`curl ${quoted(location.origin + path)}`, '-H "Authorization: Bearer $MAINSTAY_TOKEN"'];
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) lines.splice(1, 0, `-X ${method}`);
  if (body !== undefined) lines.push(`--json ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** curl for a token of a key. */
export function tokenCurl({ id, secret }: { id: string; secret: string }): string {
  return [
    `curl ${quoted(`${location.origin}/oauth2/token`)}`,
    `-u ${quoted(`${id}:${secret}`)}`,
    '-d grant_type=client_credentials',
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
