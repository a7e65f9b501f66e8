/** Builds a multipart body with text fields only, and its header. */
export function multipart(fields: object) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  )
  return { payload: `${parts.join('')}--xyz--\r\n`, headers: { 'content-type': 'multipart/form-data; boundary=xyz' } }
}
