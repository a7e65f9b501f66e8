import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { languagesOf } from '../../platform/config/languages.ts'
import { compressed } from './ready-page.ts'

/** Serves the texts of each offered language. The address contains the hash of the file, so that browsers keep it. */
export function addLanguageFiles(app: FastifyInstance, config: Config): void {
  const ready = new Map(
    languagesOf(config).offered.flatMap(({ files }) => [...files].map(([address, file]) => [address, compressed(file)] as const)),
  )
  app.get('/languages/:file', { exposeHeadRoute: true }, (request, reply) => {
    const found = ready.get(request.url)
    if (found === undefined) return reply.callNotFound()
    const { bytes, encoding } = found.bodyFor(request.headers['accept-encoding'])
    if (encoding !== undefined) void reply.header('Content-Encoding', encoding)
    return reply
      .type('application/json; charset=utf-8')
      .headers({ 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Origin, Accept-Encoding' })
      .send(bytes)
  })
}
