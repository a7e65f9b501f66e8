import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export interface SentFile {
  name: string
  type: string
  /** Total size of all parts. */
  bytes: number
  parts: AsyncIterable<Uint8Array>
}

/** Sends a file in parts. Each part is read after the previous one is sent, so that memory use does not depend on the file's size. */
export const sendFile = (reply: FastifyReply, { name, type, bytes, parts }: SentFile): FastifyReply =>
  reply
    .header('Content-Type', type)
    .header('Content-Length', bytes)
    .header('Content-Disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '-')}"`)
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .send(Readable.from(parts))
