export interface Picture {
  name: string
  type: string
  bytes: Uint8Array
}

/** Builds a multipart body as a browser does, with text fields and a picture, and its header. */
export async function multipart(fields: object, picture?: Picture) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (picture !== undefined) form.append('image', new Blob([new Uint8Array(picture.bytes)], { type: picture.type }), picture.name)
  const body = new Response(form)
  return { payload: Buffer.from(await body.arrayBuffer()), headers: { 'content-type': body.headers.get('content-type') ?? '' } }
}
