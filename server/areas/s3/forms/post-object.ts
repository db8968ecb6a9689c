import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { authorize } from '../access/authorize.ts';
import { bucketOf, type Call, send } from '../call.ts';
import { S3Error } from '../errors.ts';
import { commit, maxPutBytes, prepareNew, storedHeaders } from '../operations/put.ts';
import { demandKeyText, newVersionOf, readTags } from '../properties.ts';
import { algorithms, headerOf, isDigest, newChecksum } from '../wire/checksums.ts';
import { leaf, plainDocument } from '../wire/xml.ts';
import { childOf, childrenOf, parseXml, textOf } from '../wire/xml-parser.ts';
import { authenticateForm } from './authenticate.ts';
import { type Form, readForm } from './form.ts';

/** Uploads by HTML forms: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html */

/** In a key it stands for the name of the file. */
const filenameVariable = ['$', '{filename}'].join('');

export async function postObject(call: Call): Promise<void> {
  bucketOf(call);
  call.proceed();
  const form = await readForm(call);
  try {
    await storeForm(call, form);
  } finally {
    form.file.resume();
  }
}

async function storeForm(call: Call, { fields, filename, file }: Form): Promise<void> {
  const bucket = bucketOf(call);
  const key = fields.get('key')?.replaceAll(filenameVariable, filename);
  if (!key)
    throw new S3Error('InvalidArgument', "Bucket POST must contain a field named 'key'.", {
      fields: { ArgumentName: 'key' },
    });
  demandKeyText(key);
  const range = await authenticateForm(call, fields, key);
  call.target = { ...call.target, key };
  await authorize(call, {
    action: 's3:PutObject',
    acl: { of: 'bucket', permission: 'WRITE' },
    writes: true,
    bucket,
    key,
  });
  const prepared = await prepareNew(withHeaders(call, fields), bucket);
  const tagging = fields.get('tagging');
  if (tagging !== undefined) prepared.attributes.tags = formTags(tagging);
  const { content, s3 } = await writeFile(call, file, { fields, range, prepared });
  const row = await commit(call, bucket, {
    key,
    content,
    prepared: { ...prepared, s3: { ...prepared.s3, ...s3 } },
  });
  call.object = row;
  answer(call, fields, {
    key,
    etag: row.etag,
    version: newVersionOf(row),
    headers: storedHeaders(call, bucket, row),
  });
}

async function writeFile(
  call: Call,
  file: Readable,
  {
    fields,
    range,
    prepared,
  }: {
    fields: Map<string, string>;
    range: [number, number] | undefined;
    prepared: Awaited<ReturnType<typeof prepareNew>>;
  },
) {
  const [min, max] = range ?? [0, maxPutBytes];
  const algorithm = algorithms.find((name) => fields.has(headerOf(name)));
  const announced = algorithm && (fields.get(headerOf(algorithm)) as string);
  if (algorithm && announced !== undefined && !isDigest(algorithm, announced))
    throw new S3Error('InvalidRequest', `Value for ${headerOf(algorithm)} is invalid.`);
  const sum = algorithm ? newChecksum(algorithm) : undefined;
  const md5 = createHash('md5');
  let size = 0;
  async function* seen() {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > max)
        throw new S3Error('EntityTooLarge', undefined, {
          fields: { ProposedSize: size, MaxSizeAllowed: max },
        });
      md5.update(chunk);
      sum?.update(chunk);
      yield chunk;
    }
    if (size < min)
      throw new S3Error('EntityTooSmall', undefined, { fields: { ProposedSize: size, MinSizeAllowed: min } });
    const value = sum?.digest();
    if (value !== undefined && value !== announced)
      throw new S3Error('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`);
  }
  const { contents } = call.deps;
  const { customerKey, encrypted = contents.encrypts } = prepared.encryption;
  const options = { hashes: [], encrypted, customerKey, mayInline: true };
  const { blob, inline, ...written } = await contents.write(bucketOf(call), seen(), options);
  call.bytesIn = size;
  const etag = md5.digest('hex');
  return {
    content: { blob, inline, contentId: null, size, encrypted: written.encrypted, etag, md5: etag },
    s3:
      algorithm && announced !== undefined
        ? { checksum: { algorithm, value: announced, type: 'FULL_OBJECT' as const } }
        : {},
  };
}

/** The fields as if they were headers: both mean the same. */
function withHeaders(call: Call, fields: Map<string, string>): Call {
  const headers: Record<string, string> = {};
  for (const [name, value] of fields) {
    if (name === 'acl') headers['x-amz-acl'] = value;
    else if (/^(x-amz-|cache-control$|content-|expires$)/.test(name) && name !== 'x-amz-signature')
      headers[name] = value;
  }
  delete headers['content-length'];
  return { ...call, headers: headers as Call['headers'] };
}

function formTags(xml: string): Record<string, string> {
  const root = parseXml(Buffer.from(xml));
  const set = childOf(root, 'TagSet');
  if (!set) throw new S3Error('MalformedXML');
  return readTags(
    childrenOf(set, 'Tag').map((tag) => [textOf(tag, 'Key') ?? '', textOf(tag, 'Value') ?? ''] as const),
  );
}

function answer(
  call: Call,
  fields: Map<string, string>,
  {
    key,
    etag,
    version,
    headers,
  }: { key: string; etag: string; version: string | undefined; headers: ReturnType<typeof storedHeaders> },
): void {
  const bucket = bucketOf(call).slug;
  const redirect = fields.get('success_action_redirect') ?? fields.get('redirect');
  const location = `http://${call.headers.host ?? ''}${call.target.path.replace(/\/$/, '')}/${encodeURIComponent(key)}`;
  const sent = { ...headers, location, 'x-amz-version-id': version };
  if (redirect && URL.canParse(redirect) && /^https?:/i.test(redirect)) {
    const url = new URL(redirect);
    url.searchParams.append('bucket', bucket);
    url.searchParams.append('key', key);
    url.searchParams.append('etag', `"${etag}"`);
    send(call, 303, { ...sent, location: url.href });
    return;
  }
  const status = fields.get('success_action_status');
  if (status === '201') {
    const xml = plainDocument(
      'PostResponse',
      leaf('Location', location),
      leaf('Bucket', bucket),
      leaf('Key', key),
      leaf('ETag', `"${etag}"`),
    );
    send(call, 201, { ...sent, 'content-type': 'application/xml' }, xml);
    return;
  }
  send(call, status === '200' ? 200 : 204, sent);
}
