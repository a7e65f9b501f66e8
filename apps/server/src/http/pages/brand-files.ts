import { logoPath } from '@tizara/contract/staff-brand'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { MANIFEST } from './brand-page.ts'

/**
 * Serves the logos of decided brands, and the manifest with the app icons. A logo's address contains its hash, so that browsers keep it.
 * @param readLogo reads a PNG; undefined for a hash that is unknown or not public
 * @param limit counts a request for a logo that is not in force. Throws AppError TOO_MANY_REQUESTS
 */
export function addBrandFiles(
  app: FastifyInstance,
  { brand }: Pick<Config, 'brand'>,
  readLogo: (hash: string, side: '96' | '512') => Promise<Buffer | undefined>,
  limit: (ip: string) => Promise<void>,
): void {
  app.get<{ Params: { file: string } }>('/brand/:file', { exposeHeadRoute: true }, async (request, reply) => {
    const [, hash = '', side] = /^([0-9a-f]{64})-(96|512)\.png$/.exec(request.params.file) ?? []
    if (hash !== '' && hash !== brand.logo?.hash && hash !== brand.logoDark?.hash) await limit(request.ip)
    const bytes = side === '96' || side === '512' ? await readLogo(hash, side) : undefined
    if (bytes === undefined) return reply.callNotFound()
    return reply.type('image/png').header('Cache-Control', 'public, max-age=31536000, immutable').send(bytes)
  })
  app.get(MANIFEST, (_, reply) => {
    const { name, logo } = brand
    if (logo === null) return reply.callNotFound()
    const icons = ([96, 512] as const).map((side) => ({ src: logoPath(logo.hash, side), sizes: `${side}x${side}`, type: 'image/png' }))
    return reply
      .type('application/manifest+json')
      .header('Cache-Control', 'no-cache')
      .send(JSON.stringify({ name, short_name: name, start_url: '/', display: 'browser', icons }))
  })
}
