/**
 * `node apps/web/scripts/budgets.mjs`: checks how much code and how many translated texts pages load before the first render, and that
 * no files import each other. It reads the manifest of the build. Sizes do not vary between builds, so the limits are exact.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { errorCatalogue } from '@tizara/contract'
import { browserFiles } from '@tizara/languages'
import sources from '@tizara/languages/sources' with { type: 'json' }
import { memberRoutes, notFound, publicRoutes } from '../src/app/page-routes.ts'

/** kB (1000 bytes) of gzip; 58 of each are React and the router (docs/decisions/0020-react-version.md), 3 the translation (0065). */
const SIGN_IN_LIMIT = 77
const MEMBER_LIMIT = 125
/** Limits of the console: the frame with the first view, and each other view. */
const STAFF_LIMIT = 100
const STAFF_VIEW_LIMIT = 44
/** Maximum code files before the first render. */
const SIGN_IN_FILES = 5
const MEMBER_FILES = 14
const STAFF_FILES = 12
/** kB (gzip) of the one file that a page in another language loads. */
const LANGUAGE_LIMIT = 20
const CATALOGUES = new URL('../../../packages/languages/catalogues/', import.meta.url)
/** First view of the console. */
const FIRST_STAFF_VIEW = 'src/console/pages/overview/overview.view.tsx'

/** Name of the file that every member page loads in addition to its screen (vite.config.ts). */
export const FRAME = 'frame'

/** Returns the manifest's key of a screen. */
export const screenKey = (screen) => `src/${screen}.screen.tsx`

/** Returns a module's file and its static imports, without files that it loads on demand. */
export function filesOf(manifest, key, found = new Set()) {
  const entry = manifest[key]
  if (entry === undefined || found.has(entry.file)) return found
  found.add(entry.file)
  for (const dependency of entry.imports ?? []) filesOf(manifest, dependency, found)
  return found
}

/**
 * Finds circular imports between files. In a circle, the order of execution depends on the order of arrival, and the page
 * sometimes does not start.
 * @returns the files in a circle
 */
export function circlesOf(manifest) {
  const keys = Object.keys(manifest)
  return keys
    .filter((key) => (manifest[key].imports ?? []).some((next) => next !== key && filesOf(manifest, next).has(manifest[key].file)))
    .map((key) => manifest[key].file)
}

/** Finds the manifest's key of a chunk by its name. */
export function keyOf(manifest, name) {
  const found = Object.keys(manifest).find((key) => manifest[key].name === name)
  if (found === undefined) throw new Error(`the build has no file ${name}`)
  return found
}

/**
 * Compares the size of every page with its limit.
 * @returns one line per page, and the pages above their limits
 */
export function checkBudgets(dist) {
  const manifest = JSON.parse(readFileSync(path.join(dist, 'manifest.json'), 'utf8'))
  const size = (files) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length, 0) / 1000
  const start = filesOf(manifest, 'index.html')
  if (start.size === 0) throw new Error('the manifest does not contain index.html')
  const lines = []
  const problems = circlesOf(manifest).map((file) => `${file} is part of a circular import`)
  const check = (name, files, limit, filesLimit) => {
    const kb = size(files)
    lines.push(`${name} ${kb.toFixed(1)} kB gz${limit === undefined ? '' : ` of ${limit}`}, ${files.size} files`)
    if (kb > (limit ?? Infinity)) problems.push(`${name} loads ${kb.toFixed(1)} kB gz, limit ${limit}`)
    if (files.size > filesLimit) problems.push(`${name} loads ${files.size} files, limit ${filesLimit}`)
  }
  check('sign-in', start, SIGN_IN_LIMIT, SIGN_IN_FILES)
  const base = filesOf(manifest, 'spa.html')
  const frame = new Set([...base, ...filesOf(manifest, keyOf(manifest, FRAME))])
  const checkScreens = (routes, loaded, limit) => {
    for (const screen of new Set(routes.map((route) => route.screen)))
      check(screen, new Set([...loaded, ...filesOf(manifest, screenKey(screen))]), limit, MEMBER_FILES)
  }
  checkScreens([...publicRoutes, notFound], base, undefined)
  checkScreens(memberRoutes, frame, MEMBER_LIMIT)
  checkStaff(dist, check, problems)
  checkLanguages(lines, problems)
  return { lines, problems }
}

/** Checks the files of each language of the product. */
function checkLanguages(lines, problems) {
  const errors = Object.entries(errorCatalogue).map(([code, { message }]) => [code, message])
  const names = readdirSync(CATALOGUES)
  if (names.length === 0) throw new Error('there are no languages')
  for (const name of names)
    for (const [group, file] of browserFiles(JSON.parse(readFileSync(new URL(name, CATALOGUES), 'utf8')), sources.pages, errors)) {
      const kb = gzipSync(file).length / 1000
      lines.push(`${name}, texts of ${group} ${kb.toFixed(1)} kB gz of ${LANGUAGE_LIMIT}`)
      if (kb > LANGUAGE_LIMIT) problems.push(`${name} has ${kb.toFixed(1)} kB gz of texts for ${group}, limit ${LANGUAGE_LIMIT}`)
    }
}

/** Checks the console, which has a separate manifest and shares no file with the member app. */
function checkStaff(dist, check, problems) {
  const manifest = JSON.parse(readFileSync(path.join(dist, 'staff-manifest.json'), 'utf8'))
  const frame = filesOf(manifest, 'staff.html')
  const views = Object.keys(manifest).filter((key) => key.endsWith('.view.tsx'))
  if (frame.size === 0 || views.length === 0) throw new Error('the console was not built')
  for (const view of views) {
    const files = filesOf(manifest, view)
    const further = new Set([...files].filter((file) => !frame.has(file)))
    check(`${view}, with the frame`, new Set([...frame, ...files]), view === FIRST_STAFF_VIEW ? STAFF_LIMIT : undefined, STAFF_FILES)
    check(view, further, STAFF_VIEW_LIMIT, STAFF_FILES)
  }
  problems.push(...circlesOf(manifest).map((file) => `${file} is part of a circular import`))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const dist = path.resolve(import.meta.dirname, '..', 'dist')
  if (!existsSync(path.join(dist, 'manifest.json'))) throw new Error('build the web app first')
  const { lines, problems } = checkBudgets(dist)
  console.log(lines.join('\n'))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
