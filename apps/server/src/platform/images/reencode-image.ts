import sharp, { type ResizeOptions } from 'sharp'
import { AppError } from '../runtime/app-error.ts'
import { createFairQueue } from '../runtime/fair-queue.ts'

/** Image that is safe to store and show. */
export interface EncodedImage {
  contentType: 'image/webp'
  bytes: Buffer
}

/** Maximum side in pixels, and maximum number of pixels that the server decodes. */
const MAX_SIDE = 4096
const MAX_PIXELS = MAX_SIDE * MAX_SIDE
/** Longest side of a stored image, in pixels. */
const WHOLE = { width: 2000, height: 2000, fit: 'inside', withoutEnlargement: true } as const
const ACCEPTED = new Set(['jpeg', 'png', 'webp'])

/** The server decodes one image at a time, and uploaders take turns, so that uploads cannot block the process (ASVS 15.1.3). */
const queue = createFairQueue({ maxRunning: 1, maxWaiting: 19 })

/**
 * Decodes an upload and encodes it again (ASVS 5.2, 14.2.8). Only JPEG, PNG and WebP are accepted, whatever the name;
 * metadata, trailing bytes and animation are removed.
 * @param uploader id of the account that takes turns with the others
 * @param size sides in pixels, and what happens to the rest of the image
 * @throws AppError FILE_NOT_AN_IMAGE; BUSY while too many wait
 */
export function reencode(uploader: bigint, file: { bytes: Buffer }, size: ResizeOptions = WHOLE): Promise<EncodedImage> {
  return queue.run(String(uploader), () => encode(file.bytes, size))
}

async function encode(bytes: Buffer, size: ResizeOptions): Promise<EncodedImage> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
    // Reads only the header.
    const { format, width, height } = await image.metadata()
    if (format === undefined || !ACCEPTED.has(format) || width * height > MAX_PIXELS) throw new AppError('FILE_NOT_AN_IMAGE')
    const encoded = await image.rotate().resize(size).webp({ quality: 82 }).toBuffer()
    return { contentType: 'image/webp', bytes: encoded }
  } catch {
    throw new AppError('FILE_NOT_AN_IMAGE', {}, [{ path: 'image', message: 'Please choose a JPEG, PNG or WebP image' }])
  }
}
