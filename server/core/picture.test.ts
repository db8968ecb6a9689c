import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { redraw } from './picture.ts';

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } });

test('pictures of every format are drawn again', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const drawn = await redraw(await flat(40, 20).toFormat(format).toBuffer());
    const { format: made, width, height } = await sharp(drawn).metadata();
    assert.deepEqual([made, width, height], ['webp', 256, 256], format);
  }
});

test('what is no picture, or a program, is refused before anything decodes it', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  for (const upload of [svg, `<?xml version="1.0"?>${svg}`, '', 'MM\0*', '%PDF-1.7'])
    await assert.rejects(redraw(Buffer.from(upload)), { kind: 'invalid_request' });
});

test('a small file of more than 16 megapixels is refused, and the next picture is drawn', async () => {
  const bomb = await flat(4001, 4000).png({ compressionLevel: 9 }).toBuffer();
  assert.ok(bomb.length < 200_000);
  await assert.rejects(redraw(bomb), { kind: 'invalid_request', message: /16 megapixels/ });
  const broken = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]);
  await assert.rejects(redraw(broken), { kind: 'invalid_request' });
  assert.ok(await redraw(await flat(4000, 4000).jpeg().toBuffer()));
});

test('twenty at once are drawn one after the other', async () => {
  const upload = await flat(64, 64).png().toBuffer();
  const drawn = await Promise.all(Array.from({ length: 20 }, () => redraw(upload)));
  assert.ok(drawn.every((picture) => picture.length > 0));
});
