import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/app-error.ts'

/** A file as it arrived, not yet trusted. */
export interface UploadedFile {
  bytes: Buffer
  /** Name and type that the sender claims; neither decides anything. */
  claimedName: string
  claimedType: string
}

/**
 * Reads a multipart request: its text fields and at most one file. An empty file counts as none (VA-85).
 * @param upload the field that holds the file, whether it must be there, and its largest size in bytes
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, FILE_TOO_LARGE, FILE_REQUIRED or INVALID_INPUT
 */
export async function readUpload(
  request: FastifyRequest,
  upload: { field: string; required: boolean; maxBytes: number },
): Promise<{ fields: Record<string, string>; file: UploadedFile | undefined }> {
  if (!request.isMultipart()) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  const fields = new Map<string, string>()
  let file: UploadedFile | undefined
  const parts = request.parts({ limits: { files: 1, fields: 20, fieldSize: 20_000, fileSize: upload.maxBytes, parts: 21 } })
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        if (typeof part.value !== 'string' || fields.has(part.fieldname)) throw new AppError('INVALID_INPUT')
        fields.set(part.fieldname, part.value)
        continue
      }
      const bytes = await part.toBuffer()
      if (part.fieldname !== upload.field) throw new AppError('INVALID_INPUT')
      if (bytes.length > 0) file = { bytes, claimedName: part.filename, claimedType: part.mimetype }
    }
  } catch (error) {
    throw uploadRefusal(error)
  }
  if (file === undefined && upload.required) {
    throw new AppError('FILE_REQUIRED', {}, [{ path: upload.field, message: 'This field is required' }])
  }
  return { fields: Object.fromEntries(fields), file }
}

function uploadRefusal(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('FILE_TOO_LARGE')
  if (typeof code === 'string' && code.startsWith('FST_')) return new AppError('INVALID_INPUT')
  return error instanceof Error && /multipart|boundary|form/i.test(error.message) ? new AppError('INVALID_INPUT') : error
}
