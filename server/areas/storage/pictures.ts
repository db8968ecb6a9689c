import { newBlobName } from '#core/blobs.ts';
import { Problem } from '#core/problem.ts';
import { Semaphore } from '#core/semaphore.ts';
import { runShared } from '#core/waits.ts';
import { insertGarbage } from './blob-store.ts';
import type { ObjectRow } from './object-store.ts';
import { findRendition, insertRendition, type RenditionRow } from './rendition-store.ts';
import type { StorageDeps } from './rules.ts';
import type { BucketRow } from './store.ts';

/** Pictures in another size or format, made once and kept beside their object. */

const formats = ['webp', 'avif', 'jpeg', 'png'] as const;
type Format = (typeof formats)[number];
const fits = ['cover', 'contain', 'inside'] as const;

export interface PictureWish {
  width: number | undefined;
  height: number | undefined;
  fit: (typeof fits)[number];
  format: Format | undefined;
  quality: number;
}

const maxSide = 4096;
const maxSourceBytes = 50 * 1024 * 1024;
const maxPixels = 50_000_000;
/** Of one object: who asks for more sizes gets them made, but not kept. */
const maxKept = 50;
const sources = /^image\/(jpeg|png|webp|gif|avif|heic|heif|tiff)$/;
const names = ['width', 'height', 'fit', 'format', 'quality'];

/** What the query of an address asks for; undefined: the object as it is. */
export function readWish(parameter: (name: string) => string | undefined): PictureWish | undefined {
  if (names.every((name) => parameter(name) === undefined)) return undefined;
  const number = (name: string, max: number) => {
    const text = parameter(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) throw wrong(name, `a whole number from 1 to ${max}`);
    return value;
  };
  const choice = <V extends string>(name: string, values: readonly V[]) => {
    const text = parameter(name);
    const found = values.find((value) => value === text);
    if (text !== undefined && found === undefined) throw wrong(name, `one of ${values.join(', ')}`);
    return found;
  };
  return {
    width: number('width', maxSide),
    height: number('height', maxSide),
    fit: choice('fit', fits) ?? 'inside',
    format: choice('format', formats),
    quality: number('quality', 100) ?? 80,
  };
}

function wrong(name: string, expected: string): Problem {
  return new Problem('invalid_request', `The query parameter "${name}" must be ${expected}.`);
}

export class Pictures {
  readonly #deps: StorageDeps;
  readonly #seconds: number;
  // libvips has threads of its own; each picture may take 200 MB while it is decoded.
  readonly #gate = new Semaphore({ width: 2, maxWaiting: 50 });
  readonly #drawing = new Map<string, Promise<RenditionRow>>();

  /** `seconds`: how long a request waits for a picture that is made for it. */
  constructor(deps: StorageDeps, { seconds }: { seconds: number }) {
    this.#deps = deps;
    this.#seconds = seconds;
  }

  /** The object as it is wished for, in the form of an object: its bytes are found in the same way. */
  async rendition(bucket: BucketRow, object: ObjectRow, wish: PictureWish): Promise<ObjectRow> {
    if (!sources.test(object.content_type ?? '')) {
      throw new Problem(
        'invalid_request',
        'Only JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF pictures can be changed.',
      );
    }
    if (object.content_length > maxSourceBytes) {
      throw new Problem(
        'too_large',
        `Images larger than ${maxSourceBytes} bytes can only be served unchanged.`,
      );
    }
    const { width = 0, height = 0, fit, format = 'webp', quality } = wish;
    const spec = `${width}x${height}-${fit}-${format}-${quality}`;
    const known = await findRendition(this.#deps.db, object.id, spec);
    const row = known ?? (await this.#drawn(bucket, object, wish, spec));
    return {
      ...object,
      blob: row.blob,
      content_id: null,
      content_length: row.size,
      content_type: row.content_type,
      encrypted: row.encrypted,
      etag: `${object.etag}-${spec}`,
    };
  }

  /** One that takes long is made all the same, and kept for the next request. */
  async #drawn(bucket: BucketRow, object: ObjectRow, wish: PictureWish, spec: string): Promise<RenditionRow> {
    const name = `${object.id} ${spec}`;
    let drawing = this.#drawing.get(name);
    if (!drawing) {
      drawing = runShared(() => this.#gate.run(() => this.#make(bucket, object, wish, spec)));
      this.#drawing.set(name, drawing);
      const forget = () => this.#drawing.delete(name);
      drawing.then(forget, forget);
    }
    const { promise: late, reject } = Promise.withResolvers<never>();
    const sentence = 'This image is still being processed. Try again shortly.';
    const timer = setTimeout(
      () => reject(new Problem('unavailable', sentence, { retryAfterSeconds: 5 })),
      this.#seconds * 1000,
    );
    try {
      return await Promise.race([drawing, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #make(bucket: BucketRow, object: ObjectRow, wish: PictureWish, spec: string): Promise<RenditionRow> {
    const { db, clock, contents, limits } = this.#deps;
    const source = await contents.read(bucket, object, { start: 0, end: object.content_length });
    const { width, height, fit, format = 'webp', quality } = wish;
    // Only now: it brings a native library of some megabytes.
    const { default: sharp } = await import('sharp');
    let bytes: Buffer;
    try {
      bytes = await sharp(source, { limitInputPixels: maxPixels, failOn: 'error' })
        .rotate()
        .resize({ ...(width ? { width } : {}), ...(height ? { height } : {}), fit, withoutEnlargement: true })
        .toFormat(format, { quality })
        .toBuffer();
    } catch (cause) {
      throw new Problem('invalid_request', 'This picture cannot be read, or it has too many pixels.', {
        cause,
      });
    }
    const now = clock.now();
    const blob = newBlobName(now);
    await contents.put(bucket, blob, bytes);
    const row: RenditionRow = {
      object_id: object.id,
      spec,
      blob,
      size: bytes.length,
      content_type: `image/${format}`,
      encrypted: contents.encrypts ? 1 : 0,
      created_at: now,
    };
    const isKept = await db.write((tx) => insertRendition(tx, row, maxKept));
    // Another request was quicker, or enough are kept: what was made is read once and then deleted.
    if (!isKept) await db.write((tx) => insertGarbage(tx, [blob], now + limits.garbageSeconds * 1000));
    return row;
  }
}
