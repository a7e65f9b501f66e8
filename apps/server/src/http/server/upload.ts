import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PROFILE_IMAGE_MAX_BYTES, UPLOAD_MAX_BYTES } from '@tizara/contract'
import { AppError } from '../../platform/runtime/app-error.ts'

/** A file as it arrived, not yet trusted. */
export interface UploadedFile {
  bytes: Buffer
  /** Name and type claimed by the sender. The server trusts neither. */
  claimedName: string
  claimedType: string
}

/** Bytes of a multipart body beside its file: text fields and boundaries. */
export const FORM_BYTES = 64 * 1024

/** Maximum parts of a form. */
const MAX_PARTS = 21

/**
 * Reads multipart bodies into memory, up to the route's limit. Rejects the first byte above it and closes the connection.
 * {@link readUpload} parses the form after the session check.
 */
export function addUploads(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))
}

/**
 * Reads a multipart request: text fields and at most one file. An empty file counts as no file (VA-85).
 * @param upload name of the file's field, whether the file is required, and the maximum size in bytes
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, FILE_TOO_LARGE, IMAGE_TOO_LARGE, FILE_REQUIRED or INVALID_INPUT
 */
export async function readUpload(
  request: FastifyRequest,
  upload: { field: string; required: boolean; maxBytes: number },
): Promise<{ fields: Record<string, string>; file: UploadedFile | undefined }> {
  const parts = [...(await readForm(request))]
  const fields = new Map<string, string>()
  let file: UploadedFile | undefined
  if (parts.length > MAX_PARTS) throw new AppError('INVALID_INPUT')
  for (const [name, value] of parts) {
    if (fields.has(name) || name in Object.prototype) throw new AppError('INVALID_INPUT')
    if (typeof value === 'string') {
      fields.set(name, value)
      continue
    }
    if (value.size > upload.maxBytes) throw fileTooLarge(upload.maxBytes)
    if (name !== upload.field || file !== undefined) throw new AppError('INVALID_INPUT')
    file = { bytes: Buffer.from(await value.arrayBuffer()), claimedName: value.name, claimedType: value.type }
  }
  if (file?.bytes.length === 0) file = undefined
  if (file === undefined && upload.required) {
    throw new AppError('FILE_REQUIRED', {}, [{ path: upload.field, message: 'This field is required' }])
  }
  return { fields: Object.fromEntries(fields), file }
}

/** Returns the rejection of a file above a limit in bytes. Its text names the limit. */
export function fileTooLarge(maxBytes: number): AppError {
  if (maxBytes === UPLOAD_MAX_BYTES) return new AppError('FILE_TOO_LARGE')
  if (maxBytes === PROFILE_IMAGE_MAX_BYTES) return new AppError('IMAGE_TOO_LARGE')
  return new AppError('INVALID_INPUT', {}, [{ path: '', message: `The file is larger than ${maxBytes / 1_000_000} MB` }])
}

/** Returns true if the error is a form above the route's size limit. */
export const isLargeUpload = (error: unknown, { headers }: FastifyRequest): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413 && headers['content-type']?.startsWith('multipart/') === true

/** Parses a form with Node's reader for responses. */
async function readForm({ body, headers }: FastifyRequest): Promise<FormData> {
  if (!Buffer.isBuffer(body)) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
  } catch {
    throw new AppError('INVALID_INPUT')
  }
}
