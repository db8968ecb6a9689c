import { Problem } from '#core/problem.ts';

const side = 256;
const maxPixels = 50_000_000;
/** What browsers make pictures as. SVG is left out: it is a program. */
const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif']);

/**
 * A picture as it may be served: decoded and drawn again as a square WebP of 256 pixels, so that nothing of what was
 * uploaded survives but what can be seen (no metadata, no trailing bytes, no second format). Decoding runs in libvips'
 * own threads. Throws `Problem('invalid_request')` for what is no picture.
 */
export async function redraw(upload: Buffer): Promise<Buffer> {
  // Some 20 MB of native code, for something that few instances do often.
  const { default: sharp } = await import('sharp');
  try {
    const { format } = await sharp(upload, { limitInputPixels: maxPixels }).metadata();
    if (!formats.has(format ?? '')) throw new Error(`the format ${format} is not accepted`);
    return await sharp(upload, { limitInputPixels: maxPixels, failOn: 'error' })
      .rotate()
      .resize(side, side, { fit: 'cover' })
      .webp({ quality: 85 })
      .toBuffer();
  } catch (cause) {
    const sentence =
      'This is no picture that can be read. Send a JPEG, PNG, WebP, GIF or AVIF of at most 50 megapixels.';
    throw new Problem('invalid_request', sentence, { cause });
  }
}
