import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { authorize } from '../access/authorize.ts';
import { bucketOf, type Call, send } from '../call.ts';
import { S3Error } from '../errors.ts';
import { demandAllowedFrom } from '../limits.ts';
import { demandKeyText, readTags, versionOf } from '../properties.ts';
import { unknownKey } from '../signature/authenticate.ts';
import { hmac, isSignature } from '../signature/canonical.ts';
import { parseAmzDate } from '../signature/time.ts';
import { algorithms, headerOf, isDigest, newChecksum } from '../wire/checksums.ts';
import { leaf, plainDocument } from '../wire/xml.ts';
import { childOf, childrenOf, parseXml, textOf } from '../wire/xml-parser.ts';
import { commit, maxPutBytes, prepareNew, storedHeaders } from './put.ts';

/** Uploads by HTML forms: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html */

interface Form {
  /** By name in lower case. */
  fields: Map<string, string>;
  filename: string;
  file: Readable;
}

/** In a key it stands for the name of the file. */
const filenameVariable = ['$', '{filename}'].join('');
const maxFields = 100;
const maxFieldBytes = 20 * 1024;

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
    version: versionOf(bucket, row),
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
  const written = await contents.write(bucketOf(call), seen(), { hashes: [], encrypted, customerKey });
  call.bytesIn = size;
  const etag = md5.digest('hex');
  return {
    content: { blob: written.blob, contentId: null, size, encrypted: written.encrypted, etag, md5: etag },
    s3:
      algorithm && announced !== undefined
        ? { checksum: { algorithm, value: announced, type: 'FULL_OBJECT' as const } }
        : {},
  };
}

/** The fields up to the file, and the file as it comes. */
function readForm(call: Call): Promise<Form> {
  const { request } = call;
  const { promise, resolve, reject } = Promise.withResolvers<Form>();
  const fields = new Map<string, string>();
  const malformed = (cause?: unknown) => reject(new S3Error('MalformedPOSTRequest', undefined, { cause }));
  let parser: InstanceType<typeof Busboy>;
  try {
    const headers: BusboyHeaders = {
      ...request.headers,
      'content-type': request.headers['content-type'] ?? '',
    };
    parser = new Busboy({
      headers,
      limits: { fields: maxFields, fieldSize: maxFieldBytes, files: maxFields, parts: maxFields + 1 },
    });
  } catch (error) {
    malformed(error);
    return promise;
  }
  let hasFile = false;
  // Some clients send every field as if it were a file.
  const waiting: Promise<void>[] = [];
  const start = (file: Readable, filename: string) => {
    hasFile = true;
    Promise.all(waiting).then(() => resolve({ fields, filename, file }), malformed);
  };
  const setField = (name: string, value: string) => {
    if (fields.has(name)) malformed();
    else if (!hasFile) fields.set(name, value);
  };
  parser.on('file', (name, stream, filename) => {
    const lower = name.toLowerCase();
    if (hasFile) {
      stream.resume();
      return;
    }
    if (lower !== 'file') {
      waiting.push(
        readField(stream).then((value) => void (fields.has(lower) ? malformed() : fields.set(lower, value))),
      );
      return;
    }
    const file = new PassThrough();
    stream.on('error', (error) => file.destroy(new S3Error('IncompleteBody', undefined, { cause: error })));
    request.on('close', () => {
      if (!request.complete) file.destroy(new S3Error('IncompleteBody'));
    });
    stream.pipe(file);
    // What arrives before the form is checked waits in the stream.
    file.on('error', () => undefined);
    start(file, String(filename ?? '').replace(/^.*[\\/]/s, ''));
  });
  parser.on('field', (name, value, _nameCut, valueCut) => {
    const lower = name.toLowerCase();
    if (valueCut) malformed();
    // A browser may send the file as a plain field.
    else if (lower === 'file' && !hasFile) {
      const file = new PassThrough();
      file.end(value);
      start(file, '');
    } else setField(lower, value);
  });
  parser.on('partsLimit', () => malformed());
  parser.on('error', malformed);
  parser.on('finish', () => {
    if (!hasFile)
      reject(
        new S3Error('InvalidArgument', 'POST requires exactly one file upload per request.', {
          fields: { ArgumentName: 'file' },
        }),
      );
  });
  request.on('error', malformed);
  request.pipe(parser);
  return promise;
}

async function readField(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxFieldBytes) throw new S3Error('MaxMessageLengthExceeded');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Who sends the form, by its policy; the bounds that the policy sets for the length. */
async function authenticateForm(
  call: Call,
  fields: Map<string, string>,
  key: string,
): Promise<[number, number] | undefined> {
  const policy = fields.get('policy');
  const signature = fields.get('x-amz-signature');
  if (
    policy === undefined &&
    signature === undefined &&
    !fields.has('signature') &&
    !fields.has('awsaccesskeyid')
  )
    return undefined;
  if (fields.has('awsaccesskeyid')) return authenticateOld(call, fields, key);
  const credential = fields.get('x-amz-credential')?.split('/') ?? [];
  const [accessKeyId = '', date = '', region = '', service = ''] = credential;
  const time = parseAmzDate(fields.get('x-amz-date') ?? '');
  const missing = (name: string) =>
    new S3Error(
      'InvalidArgument',
      `Bucket POST must contain a field named '${name}'.  If it is specified, please check the order of the fields.`,
    );
  if (policy === undefined) throw missing('policy');
  if (signature === undefined) throw missing('X-Amz-Signature');
  if (credential.length !== 5 || time === undefined || fields.get('x-amz-algorithm') !== 'AWS4-HMAC-SHA256')
    throw new S3Error(
      'InvalidArgument',
      'X-Amz-Credential, X-Amz-Date and X-Amz-Algorithm must be those of Signature Version 4.',
    );
  if (service !== 's3' || (!call.deps.anyRegion && region !== call.deps.region))
    throw new S3Error(
      'AuthorizationQueryParametersError',
      `The region '${region.slice(0, 64)}' is wrong; expecting '${call.deps.region}'`,
    );
  const signer = await call.deps.credentials.find(accessKeyId);
  if (!signer) throw unknownKey(accessKeyId);
  const signingKey = call.deps.signingKeys.get(accessKeyId, signer.secret, { date, region, service });
  if (!isSignature(hmac(signingKey, policy), signature)) throw new S3Error('SignatureDoesNotMatch');
  return accept(call, signer, {
    fields,
    policy,
    key,
    time,
    scope: { date, region, service },
    signature,
    signingKey,
  });
}

/**
 * The form's own signature of old (HMAC-SHA-1 of the policy). Signature Version 2 is refused elsewhere, but for forms it
 * has no weakness that matters here: it signs the same policy with the same secret, and pages on the web have no other.
 */
async function authenticateOld(
  call: Call,
  fields: Map<string, string>,
  key: string,
): Promise<[number, number] | undefined> {
  const policy = fields.get('policy');
  const signature = fields.get('signature');
  const accessKeyId = fields.get('awsaccesskeyid') ?? '';
  if (policy === undefined || signature === undefined)
    throw new S3Error('InvalidArgument', "Bucket POST must contain the fields 'policy' and 'signature'.");
  const signer = await call.deps.credentials.find(accessKeyId);
  if (!signer) throw unknownKey(accessKeyId);
  const expected = createHmac('sha1', signer.secret).update(policy).digest();
  const given = Buffer.from(signature, 'base64');
  const same = timingSafeEqual(
    expected,
    given.length === expected.length ? given : Buffer.alloc(expected.length),
  );
  if (!same || given.length !== expected.length) throw new S3Error('SignatureDoesNotMatch');
  const now = call.deps.clock.now();
  return accept(call, signer, {
    fields,
    policy,
    key,
    time: now,
    scope: { date: '', region: '', service: 's3' },
    signature: '',
    signingKey: Buffer.alloc(0),
  });
}

async function accept(
  call: Call,
  signer: NonNullable<Awaited<ReturnType<Call['deps']['credentials']['find']>>>,
  {
    fields,
    policy,
    key,
    time,
    scope,
    signature,
    signingKey,
  }: {
    fields: Map<string, string>;
    policy: string;
    key: string;
    time: number;
    scope: { date: string; region: string; service: string };
    signature: string;
    signingKey: Buffer;
  },
): Promise<[number, number] | undefined> {
  await demandAllowedFrom(call, signer);
  const chunks = { key: signingKey, timeText: '', scope, seed: signature };
  call.auth = {
    signer,
    payload: 'UNSIGNED-PAYLOAD',
    chunks,
    presigned: true,
    age: call.deps.clock.now() - time,
  };
  call.who = signer.applicationId;
  call.deps.used.note(signer.id);
  return checkPolicy(policy, { fields, key, bucket: bucketOf(call).slug, now: call.deps.clock.now() });
}

function invalid(sentence: string): S3Error {
  return new S3Error('InvalidPolicyDocument', `Invalid Policy: ${sentence}`);
}

function unmet(sentence: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${sentence}`);
}

/** Fields that a policy need not name. */
const free = new Set(['policy', 'x-amz-signature', 'signature', 'awsaccesskeyid', 'file', 'bucket']);

function checkPolicy(
  encoded: string,
  { fields, key, bucket, now }: { fields: Map<string, string>; key: string; bucket: string; now: number },
): [number, number] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
  } catch {
    throw invalid('Invalid JSON.');
  }
  const { expiration, conditions } = (document ?? {}) as { expiration?: unknown; conditions?: unknown };
  const end =
    typeof expiration === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(expiration)
      ? Date.parse(expiration)
      : Number.NaN;
  if (Number.isNaN(end)) throw invalid('expiration must be a date in ISO 8601.');
  if (end <= now) throw unmet('Policy expired.');
  if (!Array.isArray(conditions)) throw invalid('there must be a list of conditions.');
  const named = new Set<string>();
  let range: [number, number] | undefined;
  const valueFor = (name: string) => (name === 'bucket' ? bucket : name === 'key' ? key : fields.get(name));
  for (const condition of conditions as unknown[]) {
    if (!Array.isArray(condition)) {
      if (typeof condition !== 'object' || condition === null)
        throw invalid('a condition must be a list or an object.');
      const entries = Object.entries(condition);
      if (entries.length === 0) throw invalid('a condition must not be empty.');
      for (const [name, wanted] of entries) {
        named.add(name.toLowerCase());
        if (valueFor(name.toLowerCase()) !== wanted)
          throw unmet(`Policy Condition failed: ["eq", "$${name}", ${JSON.stringify(wanted)}]`);
      }
      continue;
    }
    const [operator, first, second] = condition as unknown[];
    const kind = String(operator).toLowerCase();
    if (kind === 'content-length-range') {
      if (condition.length !== 3 || !isLength(first) || !isLength(second))
        throw invalid('content-length-range takes two numbers.');
      range = [Number(first), Number(second)];
      continue;
    }
    if (
      condition.length !== 3 ||
      typeof first !== 'string' ||
      !first.startsWith('$') ||
      typeof second !== 'string'
    )
      throw invalid('a condition is not well-formed.');
    const name = first.slice(1).toLowerCase();
    named.add(name);
    const value = valueFor(name) ?? '';
    if (kind === 'starts-with' ? !value.startsWith(second) : kind !== 'eq' || value !== second)
      throw unmet(`Policy Condition failed: ${JSON.stringify(condition).slice(0, 200)}`);
  }
  for (const name of fields.keys()) {
    if (!named.has(name) && !free.has(name) && !name.startsWith('x-ignore-'))
      throw unmet(`Extra input fields: ${name.slice(0, 100)}`);
  }
  return range;
}

function isLength(value: unknown): boolean {
  return Number.isInteger(Number(value)) && Number(value) >= 0 && value !== null && value !== '';
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
