import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Call } from '../call.ts';
import { S3Error } from '../errors.ts';

export interface Form {
  /** By name in lower case. */
  fields: Map<string, string>;
  filename: string;
  file: Readable;
}

const maxFields = 100;
const maxFieldBytes = 20 * 1024;

/** The fields up to the file, and the file as it comes. */
export function readForm(call: Call): Promise<Form> {
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
  let content: PassThrough | undefined;
  // Some clients send every field as if it were a file.
  const waiting: Promise<void>[] = [];
  const start = (file: PassThrough, filename: string) => {
    hasFile = true;
    content = file;
    // What arrives before the form is checked waits in the stream.
    file.on('error', () => undefined);
    request.on('close', () => {
      if (!request.complete) file.destroy(new S3Error('IncompleteBody'));
    });
    Promise.all(waiting).then(() => resolve({ fields, filename, file }), malformed);
  };
  const setField = (name: string, value: string) => {
    if (fields.has(name)) malformed();
    else if (!hasFile) fields.set(name, value);
  };
  // A part may come without a name, whatever the types of the parser say.
  parser.on('file', (name: string | undefined, stream, filename) => {
    const lower = name?.toLowerCase();
    if (lower === undefined) malformed();
    if (hasFile || lower === undefined) {
      stream.on('error', () => undefined);
      stream.resume();
      return;
    }
    if (lower !== 'file') {
      const field = readField(stream).then((value) => {
        if (fields.has(lower)) malformed();
        else fields.set(lower, value);
      });
      // The file may never come, and nobody would wait for this.
      field.catch(malformed);
      waiting.push(field);
      return;
    }
    const file = new PassThrough();
    stream.on('error', (error) => file.destroy(new S3Error('IncompleteBody', undefined, { cause: error })));
    stream.pipe(file);
    start(file, String(filename ?? '').replace(/^.*[\\/]/s, ''));
  });
  parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
    const lower = name?.toLowerCase();
    if (valueCut || lower === undefined) malformed();
    // A browser may send the file as a plain field.
    else if (lower === 'file' && !hasFile) {
      const file = new PassThrough();
      file.write(value);
      // Not before the form has ended: one that was cut short is refused.
      parser.on('finish', () => file.end());
      start(file, '');
    } else setField(lower, value);
  });
  parser.on('partsLimit', () => malformed());
  parser.on('error', (error) => {
    malformed(error);
    // Else a file that was cut short may end as if it were whole: the parser forgets to tell it behind some fields.
    content?.destroy(new S3Error('MalformedPOSTRequest', undefined, { cause: error }));
  });
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
