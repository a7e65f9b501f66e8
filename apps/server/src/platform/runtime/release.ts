import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const about = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string; released?: boolean }

/** Product version. CHANGELOG.md lists the guarantees of each version. */
export const VERSION = about.version

/** How a command is typed here: `tizara staff help` where a release runs, `npm run staff -- help` in a clone. */
export function shellCommand(line: string): string {
  if (about.released === true) return `tizara ${line}`
  const [name = '', ...rest] = line.split(' ')
  return `npm run ${name === 'audit' ? 'ledger:audit' : name}${rest.length === 0 ? '' : ` -- ${rest.join(' ')}`}`
}

/** The folder of a release, as its archive unpacks. */
const RELEASE = /^tizara-\d+\.\d+\.\d+[\w.-]*$/

/**
 * Returns the folders with web files of other builds. Pages open during an upgrade may request files of the old or the new release.
 * In a clone: those of the previous build.
 */
export function otherBuilds(dist: string): string[] {
  if (about.released !== true) return [`${dist}.before`]
  const releaseFolder = path.dirname(path.resolve(root))
  return readdirSync(releaseFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && RELEASE.test(entry.name))
    .map((entry) => path.join(releaseFolder, entry.name, 'apps', 'web', 'dist'))
}
