import { UPLOAD_MAX_BYTES } from '@tizara/contract'

/** Larger files are not decoded, because a phone could run out of memory. */
const MAX_SOURCE_BYTES = 40_000_000
/** Longest side in pixels and JPEG quality of each try. The first one keeps the text of a phone screenshot readable. */
const ATTEMPTS = [
  { side: 2400, quality: 0.85 },
  { side: 1800, quality: 0.8 },
  { side: 1200, quality: 0.7 },
] as const

/**
 * Makes an image smaller if it is above the 1 MB limit (VA-84), as a JPEG without metadata.
 * @returns the file unchanged if it fits, or if this browser cannot make it fit
 */
export async function shrinkImage(file: File): Promise<File> {
  if (file.size <= UPLOAD_MAX_BYTES || file.size > MAX_SOURCE_BYTES) return file
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    try {
      for (const { side, quality } of ATTEMPTS) {
        const blob = await encode(bitmap, side, quality)
        if (blob !== null && blob.size <= UPLOAD_MAX_BYTES) {
          return new File([blob], file.name.replace(/(\.[^.]*)?$/, '.jpg'), { type: 'image/jpeg' })
        }
      }
    } finally {
      bitmap.close()
    }
  } catch {
    // Not an image that this browser reads: the size check rejects it.
  }
  return file
}

/** Draws the image on white, with its longest side at most `side` pixels. */
async function encode(bitmap: ImageBitmap, side: number, quality: number): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (context === null) return null
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}
