import { existsSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'

/** A content-hashed file of the build: no folder, hidden file or compressed copy. */
const NAME = /^[\w-][\w.-]*\.(?!br$|gz$)\w+$/

/** Maximum files with a cached location. A few builds have fewer. */
const MAX_CACHED_FILES = 5_000

/**
 * Serves hashed files of this build and of other builds with unlimited caching. Pages from before a deployment, or from another version on
 * the machine, therefore find their files. The folders are read on request, because a newer version may appear at any time.
 * @param others folders of other builds at the time of the call
 */
export function addWebAssets(app: FastifyInstance, dist: string, others: () => string[]): void {
  const folders = new Map<string, string>()
  const folderOf = (name: string): string | undefined => {
    const known = folders.get(name)
    if (known !== undefined && existsSync(path.join(known, name))) return known
    const folder = [dist, ...others()].map((build) => path.join(build, 'assets')).find((assets) => existsSync(path.join(assets, name)))
    if (folder !== undefined && folders.size < MAX_CACHED_FILES) folders.set(name, folder)
    return folder
  }
  app.get<{ Params: { name: string } }>('/assets/:name', { exposeHeadRoute: true }, (request, reply) => {
    const { name } = request.params
    const folder = NAME.test(name) ? folderOf(name) : undefined
    return folder === undefined ? reply.callNotFound() : reply.sendFile(name, folder)
  })
}
