import sharp from 'sharp';

/** Draws one picture after the other for core/picture.ts, in a process that holds nothing but them. */

const side = 256;

/** With what is wrong, or the new picture. */
export type PictureReply = { picture: Uint8Array } | { problem: string };

sharp.cache(false);
sharp.concurrency(1);

async function draw(upload: Uint8Array, maxPixels: number): Promise<Uint8Array> {
  const input = Buffer.from(upload.buffer, upload.byteOffset, upload.byteLength);
  return sharp(input, { limitInputPixels: maxPixels, failOn: 'error' })
    .rotate()
    .resize(side, side, { fit: 'cover' })
    .webp({ quality: 85 })
    .toBuffer();
}

process.on('message', ({ upload, maxPixels }: { upload: Uint8Array; maxPixels: number }) => {
  const reply = (answer: PictureReply) => process.send?.(answer);
  draw(upload, maxPixels).then(
    (picture) => reply({ picture }),
    (error: Error) => reply({ problem: error.message }),
  );
});
// Its parent is gone, whatever became of it.
process.on('disconnect', () => process.exit());
