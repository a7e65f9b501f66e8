import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib'

const best = promisify(brotliCompress)

/** A page that is equal for all requests, ready to send. */
export interface ReadyPage {
  etag: string
  /** @param accepted the request's `Accept-Encoding` */
  bodyFor(accepted: string | string[] | undefined): { bytes: Buffer; encoding?: 'br' | 'gzip' }
}

/** Compresses a page once for all requests. The page contains no request data, so the compressed length reveals no secret. */
export function compressed(html: string): ReadyPage {
  const plain = Buffer.from(html)
  const compressWith = (quality: number) => ({
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  })
  let br = brotliCompressSync(plain, compressWith(5))
  // Compresses again at the best level in the background, which takes 150 ms. Page and styles then fit into the first packets.
  best(plain, compressWith(constants.BROTLI_MAX_QUALITY)).then(
    (smallest) => (br = smallest),
    () => undefined,
  )
  const gzip = gzipSync(plain, { level: 9 })
  return {
    etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    bodyFor(accepted) {
      const text = String(accepted ?? '')
      if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\b)/.test(text)) return { bytes: br, encoding: 'br' }
      if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\b)/.test(text)) return { bytes: gzip, encoding: 'gzip' }
      return { bytes: plain }
    },
  }
}
