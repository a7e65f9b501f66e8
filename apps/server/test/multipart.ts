import sharp from 'sharp'

export interface UploadedImage {
  name: string
  type: string
  bytes: Uint8Array
}

/** Builds a multipart body as a browser does, with text fields and a file, and its header. */
export async function multipart(fields: object, image?: UploadedImage, field = 'image') {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (image !== undefined) form.append(field, new Blob([new Uint8Array(image.bytes)], { type: image.type }), image.name)
  const body = new Response(form)
  return { payload: Buffer.from(await body.arrayBuffer()), headers: { 'content-type': body.headers.get('content-type') ?? '' } }
}

/** Draws a PNG of one colour that the server accepts as a logo. */
export const squarePng = (side = 256, background = '#1a73e8'): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer()
