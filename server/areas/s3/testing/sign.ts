import { createHash, createHmac } from 'node:crypto';

/** Requests signed by hand, rightly or wrongly. Written apart from the server's own code. */

export interface Signable {
  accessKeyId: string;
  secretAccessKey: string;
  host: string;
  method: string;
  /** Escaped already. */
  path: string;
  /** A name without a value; or pairs, sorted and escaped. */
  query?: string;
  payload: string;
  headers?: Record<string, string>;
  time?: number;
  region?: string;
  service?: string;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const amzTime = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

function signingKey(secret: string, date: string, region: string, service: string): Buffer {
  return [region, service, 'aws4_request'].reduce(
    (key, part) => hmac(key, part),
    hmac(`AWS4${secret}`, date),
  );
}

function signed(request: Signable): {
  headers: Record<string, string>;
  signature: string;
  key: Buffer;
  scope: string;
  date: string;
} {
  const { region = 'us-east-1', service = 's3', time = Date.now(), query = '' } = request;
  const date = amzTime(time);
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const headers: Record<string, string> = {
    ...{ host: request.host, 'x-amz-date': date, 'x-amz-content-sha256': request.payload },
    ...request.headers,
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    ...[request.method, request.path, query === '' || query.includes('=') ? query : `${query}=`],
    ...names.map((name) => `${name}:${headers[name]}`),
    ...['', names.join(';'), request.payload],
  ].join('\n');
  const key = signingKey(request.secretAccessKey, date.slice(0, 8), region, service);
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`).toString('hex');
  const credential = `${request.accessKeyId}/${scope}`;
  headers['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names.join(';')},Signature=${signature}`;
  return { headers, signature, key, scope, date };
}

export function sign(request: Signable): Record<string, string> {
  return signed(request).headers;
}

export function presign(request: Omit<Signable, 'payload'> & { expires: number }): string {
  const { region = 'us-east-1', time = Date.now() } = request;
  const date = amzTime(time);
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
  const query = [
    'X-Amz-Algorithm=AWS4-HMAC-SHA256',
    `X-Amz-Credential=${encodeURIComponent(`${request.accessKeyId}/${scope}`)}`,
    `X-Amz-Date=${date}`,
    `X-Amz-Expires=${request.expires}`,
    'X-Amz-SignedHeaders=host',
  ].join('&');
  const canonical = [
    request.method,
    request.path,
    query,
    `host:${request.host}`,
    '',
    'host',
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const key = signingKey(request.secretAccessKey, date.slice(0, 8), region, 's3');
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`).toString('hex');
  return `${request.path}?${query}&X-Amz-Signature=${signature}`;
}

/** A PUT in chunks. `length` and `announced` lie; `spoil` breaks the signature of the trailer. */
export function chunked(options: {
  accessKeyId: string;
  secretAccessKey: string;
  host: string;
  path: string;
  content: Buffer;
  chunkBytes: number;
  trailer?: Record<string, string>;
  announced?: string;
  unsigned?: boolean;
  length?: number;
  spoil?: 'trailer-signature';
}): { headers: Record<string, string>; body: Buffer } {
  const { content, chunkBytes, trailer, unsigned = false } = options;
  const kind = unsigned ? 'STREAMING-UNSIGNED-PAYLOAD' : 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
  const names = Object.keys(trailer ?? {});
  const announced = options.announced ?? (names.length > 0 ? names.join(',') : undefined);
  const { headers, signature, key, scope, date } = signed({
    ...options,
    method: 'PUT',
    payload: trailer ? `${kind}-TRAILER` : kind,
    headers: {
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': String(options.length ?? content.length),
      ...(announced === undefined ? {} : { 'x-amz-trailer': announced }),
    },
  });
  let previous = signature;
  const parts: Buffer[] = [];
  for (let at = 0; at <= content.length + chunkBytes; at += chunkBytes) {
    const chunk = content.subarray(at, at + chunkBytes);
    const text = `AWS4-HMAC-SHA256-PAYLOAD\n${date}\n${scope}\n${previous}\n${sha256('')}\n${sha256(chunk)}`;
    previous = hmac(key, text).toString('hex');
    const extension = unsigned ? '' : `;chunk-signature=${previous}`;
    parts.push(Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`), chunk);
    if (chunk.length === 0) break;
    parts.push(Buffer.from('\r\n'));
  }
  if (!trailer) parts.push(Buffer.from('\r\n'));
  else {
    const lines = Object.entries(trailer).map(([name, value]) => `${name}:${value}`);
    const text = lines.map((line) => `${line}\n`).join('');
    const last = hmac(
      key,
      `AWS4-HMAC-SHA256-TRAILER\n${date}\n${scope}\n${previous}\n${sha256(text)}`,
    ).toString('hex');
    if (!unsigned) lines.push(`x-amz-trailer-signature:${options.spoil ? last.replace(/^./, 'g') : last}`);
    parts.push(Buffer.from(`${lines.map((line) => `${line}\r\n`).join('')}\r\n`));
  }
  return { headers, body: Buffer.concat(parts) };
}
